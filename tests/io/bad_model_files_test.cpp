// Wrong model files: text, values, parameters, bodies.
#include "io/bad_model_file.hpp"

#include <algorithm>
#include <chrono>

#include "daedal/io/document.hpp"

namespace daedal::io {
namespace {

class BadText : public BadModelFile {};

const BadFile kFiles[] = {
    {"EmptyFile", "",
     "m.yaml: file is empty; a map of keys is expected"},
    {"OnlyAComment", R"(# nothing
)",
     "m.yaml: file is empty; a map of keys is expected"},
    {"BinaryFile", "\x01\x02\x03",
     "m.yaml:1:1: control character 0x01 found; this seems to be a binary file, a model is "
     "text"},
    {"AList", R"(- a
- b
)",
     "m.yaml:1:1: model is a list, but a map is expected; write 'key: value', with a space "
     "after the colon"},
    {"NoVersion", R"(planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
)",
     "m.yaml:1:1: model has no 'daedal'; add it: Version of the file format: 1"},
    {"OtherVersion", R"(daedal: 2
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
)",
     "m.yaml:1:9: the file has version '2'; this program reads version 1"},
    {"NoBodies", R"(daedal: 1
planar: true
)",
     "m.yaml:1:1: model has no 'bodies'; add it: Bodies by name"},
    {"EmptyBodies", R"(daedal: 1
planar: true
bodies: {}
)",
     "m.yaml:3:9: the model has no bodies; describe at least one"},
    {"BodiesWithoutValue", R"(daedal: 1
planar: true
bodies:
)",
     "m.yaml:3:1: model: 'bodies' has no value; give a map of names, or remove the key"},
    {"MassWithoutValue", R"(daedal: 1
planar: true
bodies:
  a:
    mass:
    inertia: 1
)",
     "m.yaml:5:5: body 'a': 'mass' has no value; give a number or expression, or remove the key"},
    {"MassWithoutValueInBraces", R"(daedal: 1
planar: true
bodies:
  a: {mass: , inertia: 1}
)",
     "m.yaml:4:7: body 'a': 'mass' has no value; give a number or expression, or remove the key"},
    {"BodyWithoutValue", R"(daedal: 1
planar: true
bodies:
  a:

joints: {}
)",
     "m.yaml:4:3: body 'a' has no value; give a map of keys, or remove it"},
    {"JointWithoutValue", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
joints:
  hinge:
  # to be written
)",
     "m.yaml:6:3: joint 'hinge' has no value; give a map with the key 'type', or remove it"},
    {"TypeWithoutValue", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
joints:
  hinge:
    type:
    between: [ground, a]
)",
     "m.yaml:7:5: joint 'hinge': 'type' has no value; give one of: revolute, prismatic, spherical, "
     "universal, cylindrical, fixed, distance, free, surface, planar, screw"},
    {"ParameterWithoutValue", R"(daedal: 1
planar: true
parameters:
  r:
  l: 2
bodies:
  a: {mass: 1, inertia: 1}
)",
     "m.yaml:4:3: model: 'r' of 'parameters' has no value; give a number or expression"},
    {"MissingMass", R"(daedal: 1
planar: true
bodies:
  a: {inertia: 1}
)",
     "m.yaml:4:6: body 'a' has no 'mass'; add it"},
    {"NegativeMass", R"(daedal: 1
planar: true
bodies:
  a: {mass: -2, inertia: 1}
)",
     "m.yaml:4:13: body 'a': mass is -2, it must be positive and finite; give its mass in kg"},
    {"MissingInertia", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1}
)",
     "m.yaml:4:6: body 'a' has no 'inertia'; add it, or make the body a point mass (type: "
     "point)"},
    {"InertiaNotPositiveDefinite", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, -1]}
)",
     "m.yaml:3:25: body 'a': inertia is not positive definite (principal moments -1, 1, 1); "
     "all three must be positive"},
    {"InertiaOfNoBody", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 3]}
)",
     "m.yaml:3:25: body 'a': no real body has the principal moments 1, 1, 3: the largest must "
     "not exceed the sum of the other two; check the order Ixx, Iyy, Izz, Ixy, Ixz, Iyz and "
     "the units kg m^2"},
    {"PlanarInertiaOfSpatialModel", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: 1}
)",
     "m.yaml:3:25: body 'a': inertia is one number; give Ixx, Iyy, Izz, or all of Ixx, Iyy, "
     "Izz, Ixy, Ixz, Iyz"},
    {"SpatialInertiaOfPlanarModel", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
)",
     "m.yaml:4:25: body 'a': inertia has 3 numbers; in a planar model it is one number"},
    {"InertiaOfFourNumbers", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1, 0]}
)",
     "m.yaml:3:25: body 'a': 'inertia' is a list of 4 elements; give a list of 3 or 6 numbers "
     "or number or expression"},
    {"InertiaOfPoint", R"(daedal: 1
planar: true
bodies:
  a: {type: point, mass: 1, inertia: 1}
)",
     "m.yaml:4:38: body 'a': inertia is given, but the body is a point mass; remove it"},
    {"MisspeltKey", R"(daedal: 1
planar: true
bodies:
  a: {mas: 1, inertia: 1}
)",
     "m.yaml:4:7: unknown key 'mas' in body 'a'; did you mean 'mass'?"},
    {"MisspeltSection", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joint: {}
)",
     "m.yaml:6:1: unknown key 'joint' in model; did you mean 'joints'?"},
    {"UnknownKey", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1, colour: red}
)",
     "m.yaml:4:28: unknown key 'colour' in body 'a'; known: type, mass, inertia, center, "
     "density, position, angle, rotation, shape, shapes, repeat"},
    {"DuplicateKey", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  a: {mass: 2, inertia: 1}
)",
     "m.yaml:5:3: key 'a' is given twice, first on line 4; remove one of them"},
    {"Tab", "daedal: 1\n"
     "planar: true\n"
     "bodies:\n"
     "\ta: {mass: 1, inertia: 1}\n",
     "m.yaml:4:1: line is indented with a tab; indent with spaces"},
    {"NotANumber", R"(daedal: 1
planar: true
bodies:
  a: {mass: .nan, inertia: 1}
)",
     "m.yaml:4:13: body 'a': mass is '.nan'; give a finite number"},
    {"Infinite", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: .inf}
)",
     "m.yaml:4:25: body 'a': inertia is '.inf'; give a finite number"},
    {"TooLargeNumber", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1e400, inertia: 1}
)",
     "m.yaml:4:13: body 'a': mass: the number '1e400' is out of range; magnitudes from 1e-307 "
     "to 1e308 are allowed"},
    {"MassIsAList", R"(daedal: 1
planar: true
bodies:
  a: {mass: [1], inertia: 1}
)",
     "m.yaml:4:13: body 'a': 'mass' is a list of 1 element; give a number or expression"},
    {"MassIsTrue", R"(daedal: 1
planar: true
bodies:
  a: {mass: true, inertia: 1}
)",
     "m.yaml:4:13: body 'a': 'mass' is 'true'; give a number or expression"},
    {"BodyIsANumber", R"(daedal: 1
planar: true
bodies: {a: 1}
)",
     "m.yaml:3:13: body 'a' is a scalar, but a map is expected; write 'key: value', with a "
     "space after the colon"},
    {"PlanarIsAWord", R"(daedal: 1
planar: flat
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
)",
     "m.yaml:2:9: model: 'planar' is 'flat'; give true or false"},
    {"GravityOfThreeInThePlane", R"(daedal: 1
planar: true
gravity: [0, -9.81, 0]
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
)",
     "m.yaml:3:10: gravity has 3 elements; give 2 numbers: the model is planar"},
    {"GravityOfTwoInSpace", R"(daedal: 1
gravity: [0, -9.81]
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
)",
     "m.yaml:2:10: gravity has 2 elements; give 3 numbers"},
    {"GravityOfFour", R"(daedal: 1
gravity: [0, 0, 0, 0]
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
)",
     "m.yaml:2:10: model: 'gravity' is a list of 4 elements; give a list of 2 or 3 numbers"},
    {"CyclicParameters", R"(daedal: 1
planar: true
parameters: {p: 2*q, q: r + 1, r: p}
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
)",
     "m.yaml:3:35: parameters refer to each other in a circle: p -> q -> r -> p; give one of "
     "them a number"},
    {"UnknownNameInParameter", R"(daedal: 1
planar: true
parameters: {length: 1, area: lenght^2}
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
)",
     "m.yaml:3:31: parameter 'area': 'lenght' is not defined (did you mean 'length'?)"},
    {"ReservedParameter", R"(daedal: 1
planar: true
parameters: {sin: 1}
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
)",
     "m.yaml:3:14: 'sin' cannot name a parameter: it has a meaning of its own; choose another "
     "name"},
    {"ParameterOfTime", R"(daedal: 1
planar: true
parameters: {p: 2*t}
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
)",
     "m.yaml:3:19: parameter 'p' depends on t; parameters are constant, so write its "
     "expression where it is used"},
    {"ParameterNotANumber", R"(daedal: 1
planar: true
parameters: {p: nan}
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
)",
     "m.yaml:3:17: parameter 'p' is 'nan'; give a finite number"},
    {"ParameterNameWithDash", R"(daedal: 1
planar: true
parameters: {a-b: 1}
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
)",
     "m.yaml:3:14: 'a-b' cannot name a parameter; use letters, digits and underscores, "
     "starting with a letter"},
    {"UnknownNameInMass", R"(daedal: 1
planar: true
parameters: {density: 1}
bodies:
  a: {mass: 2*densty, inertia: 1}
)",
     "m.yaml:5:15: body 'a': mass: unknown name 'densty'; did you mean 'density'?"},
    {"MassOfTime", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1 + t, inertia: 1}
)",
     "m.yaml:4:17: body 'a': mass: the expression depends on t; only drives, forces and "
     "torques may be functions of time"},
    {"BrokenExpression", R"(daedal: 1
planar: true
bodies:
  a: {mass: 2*(1 + 3, inertia: 1}
)",
     "m.yaml:4:15: body 'a': mass: this '(' is not closed; add a ')'"},
    {"DivisionByZero", R"(daedal: 1
planar: true
parameters: {n: 0}
bodies:
  a: {mass: 1/n, inertia: 1}
)",
     "m.yaml:5:14: body 'a': mass: division by zero; the divisor is constant and zero"},
    {"UnknownFunction", R"(daedal: 1
planar: true
bodies:
  a: {mass: sqr(2), inertia: 1}
)",
     "m.yaml:4:13: body 'a': mass: there is no function 'sqr' (did you mean 'sqrt'?)"},
    {"AngleInSpace", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1], angle: 1}
)",
     "m.yaml:3:43: body 'a': angle is for planar models; give 'rotation'"},
    {"RotationInThePlane", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1, rotation: {axis: [0, 0, 1], angle: 1}}
)",
     "m.yaml:4:38: body 'a': rotation is for spatial models; give 'angle'"},
    {"RotationWithoutAngle", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1], rotation: {axis: [0, 0, 1]}}
)",
     "m.yaml:3:46: body 'a': rotation has 'axis' without 'angle'; give both"},
    {"RotationGivenTwice", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1], rotation: {axis: [0, 0, 1], angle: 1, quaternion: [1, 0, 0, 0]}}
)",
     "m.yaml:3:46: body 'a': rotation is given in two ways; keep one of: axis and angle, "
     "quaternion, directions"},
    {"LongQuaternion", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1], rotation: {quaternion: [1, 1, 0, 0]}}
)",
     "m.yaml:3:59: body 'a': rotation: quaternion has length 1.41421; a rotation has length "
     "1, order w, x, y, z"},
    {"ObliqueDirections", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1], rotation: {x: [1, 0, 0], y: [1, 1, 0]}}
)",
     "m.yaml:3:46: body 'a': rotation has directions x and y at 45 degrees; they must be "
     "perpendicular"},
    {"MassBesideDensity", R"(daedal: 1
bodies:
  a: {mass: 1, density: 1, shape: {type: sphere, radius: 1}}
)",
     "m.yaml:3:13: body 'a': mass is given beside 'density', from which it follows; keep one"},
    {"DensityWithoutVolume", R"(daedal: 1
bodies:
  a: {density: 1, shape: {type: rod, from: [0, 0, 0], to: [1, 0, 0]}}
)",
     "m.yaml:3:16: body 'a': density needs a 'shape' with a volume: a box, sphere, cylinder, "
     "or rod with a radius"},
    {"UnknownShape", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1, shape: {type: ball, radius: 1}}
)",
     "m.yaml:4:42: shape has the unknown type 'ball'; known: rod, cylinder, box, sphere, "
     "polygon"},
    {"NegativeRadius", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1, shape: {type: sphere, radius: -1}}
)",
     "m.yaml:4:58: body 'a': shape: radius is -1; it must be positive"},
    {"BodyCalledGround", R"(daedal: 1
planar: true
bodies:
  ground: {mass: 1, inertia: 1}
)",
     "m.yaml:4:3: 'ground' is the fixed world; choose another name"},
    {"NameWithADot", R"(daedal: 1
planar: true
bodies:
  a.b: {mass: 1, inertia: 1}
)",
     "m.yaml:4:3: body: name 'a.b': use letters, digits, '_' and '-', and indices in brackets "
     "at the end"},
};

TEST_P(BadText, IsRefusedWithItsMessage) {
  expect_message();
}

INSTANTIATE_TEST_SUITE_P(Table, BadText, testing::ValuesIn(kFiles), name_of_case);

TEST(BadModelFiles, AFolderIsRefused) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of<InputError>([&] { read_model(folder.path()); }),
            folder.path().string() + ": this is a folder; give the path of a model file");
}

TEST(BadModelFiles, AMissingFileIsRefused) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of<InputError>([&] { read_model(folder / "m.yaml"); }),
            (folder / "m.yaml").string() + ": no such file; check the path of the model file");
}

TEST(BadModelFiles, AnOversizeFileIsRefusedBeforeItIsRead) {
  const TemporaryFolder folder;
  const auto path = folder.write("m.yaml", "daedal: 1");
  std::filesystem::resize_file(path, kMaxDocumentBytes + 1);
  EXPECT_EQ(message_of<InputError>([&] { read_model(path); }), path.string() +
                ": file is 16.0 MB, more than the 16 MB allowed for a model file; is it the right "
                "file?");
}

TEST(BadModelFiles, NoMoreThanTwentyProblemsAreShown) {
  const std::string text =
      "daedal: 1\nplanar: true\nbodies:\n"
      "  \"a[i]\": {repeat: {i: [1, 100]}, mass: -i, inertia: 1}\n";
  const std::string message = message_of<InputError>([&] { parse_model(text, "m.yaml"); });
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 20);
  EXPECT_TRUE(message.ends_with("\n... and 80 more problems")) << message;
}

TEST(BadModelFiles, AMistakeRepeatedAHundredThousandTimesIsReportedSoon) {
  const std::string bodies =
      "daedal: 1\nplanar: true\nbodies:\n  \"a[i]\": {repeat: {i: [1, 100000]}, mass: 1, inertia: ";
  const std::string joints =
      "1}\njoints:\n"
      "  \"j[i]\": {repeat: {i: [1, 100000]}, type: revolute, between: [b, c], at: [0, 0]}\n";
  for (const std::string& text : {bodies + "I}\n", bodies + joints}) {
    const auto start = std::chrono::steady_clock::now();
    const std::string message = message_of<InputError>([&] { parse_model(text, "m.yaml"); });
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
    EXPECT_TRUE(message.ends_with("\n... and at least 980 more problems")) << message;
  }
}

}  // namespace
}  // namespace daedal::io
