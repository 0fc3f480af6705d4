// Wrong model files: contacts and limits of joints.
#include "io/bad_model_file.hpp"

namespace daedal::io {
namespace {

class BadContact : public BadModelFile {};

const std::string kSpace = R"(daedal: 1
bodies:
  ball: {mass: 1, inertia: [1, 1, 1]}
  table: {mass: 1, inertia: [1, 1, 1]}
  dot: {type: point, mass: 1}
joints:
  hinge: {type: revolute, between: [ground, table], at: [0, 0, 0], axis: [0, 1, 0]}
  tube: {type: cylindrical, between: [table, ball], at: [0, 0, 0], axis: [0, 0, 1]}
)";

const std::string kPlane = R"(daedal: 1
planar: true
bodies:
  ball: {mass: 1, inertia: 1}
  table: {mass: 1, inertia: 1}
joints:
  rope: {type: distance, between: [ground, ball], at: {ball: [1, 0]}, length: 1}
)";

const std::string kStop = kSpace + "  stop: {between: [ground, ball], ";

const BadFile kFiles[] = {
    {"SaysNothing", kSpace + R"(contacts:
  c: {friction: 0.1}
)",
     "m.yaml:10:6: contact 'c' does not say what touches; give 'between', 'among' or 'gap'"},
    {"SaysTwoThings", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: plane}], gap: {joint: hinge, is: x}}
)",
     "m.yaml:10:77: contact 'c': gap is given beside 'between'; keep one of them"},
    {"UnknownKey", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: plane}], restituton: 0.1}
)",
     "m.yaml:10:72: unknown key 'restituton' in contact 'c'; did you mean 'restitution'?"},
    {"OnePart", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}]}
)",
     "m.yaml:10:16: contact 'c': between has 1 element; give 2 parts, or lists of parts"},
    {"ThreeParts", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: plane}, {type: plane}]}
)",
     "m.yaml:10:16: contact 'c': between has 3 elements; give 2 parts, or lists of parts"},
    {"NoPartOnASide", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, []]}
)",
     "m.yaml:10:56: contact 'c': between has no part on its second side; give one, as in "
     "{type: point, body: ...}"},
    {"NoPartOnTheFirstSide", kSpace + R"(contacts:
  c: {between: [[{type: point, body: ball, repeat: {i: [1, 0]}}], {type: plane}]}
)",
     "m.yaml:10:17: contact 'c': between has no part on its first side; give one, as in "
     "{type: point, body: ...}"},
    {"NoPartAmong", kSpace + R"(contacts:
  c: {among: []}
)",
     "m.yaml:10:14: contact 'c': there is no part; give parts of at least two bodies"},
    {"OneBodyAmong", kSpace + R"(contacts:
  c: {among: [{type: sphere, body: ball, radius: 1}, {type: point, body: ball}]}
)",
     "m.yaml:10:14: contact 'c': all its parts are of 'ball', and a body does not touch "
     "itself; give parts of at least two bodies"},
    {"ListInAList", kSpace + R"(contacts:
  c: {between: [[[{type: sphere, body: ball, radius: 1}]], {type: plane}]}
)",
     "m.yaml:10:18: part '1.1' is a list, but a map with the key 'type' is expected"},
    {"ListAmong", kSpace + R"(contacts:
  c: {among: [[{type: sphere, body: ball, radius: 1}, {type: plane}]]}
)",
     "m.yaml:10:15: part '1' is a list, but a map with the key 'type' is expected"},
    {"UnknownTypeOfPart", kSpace + R"(contacts:
  c: {between: [{type: sphre, body: ball, radius: 1}, {type: plane}]}
)",
     "m.yaml:10:24: part '1' has the unknown type 'sphre'; did you mean 'sphere'?"},
    {"PartWithoutType", kSpace + R"(contacts:
  c: {between: [{body: ball}, {type: plane}]}
)",
     "m.yaml:10:17: part '1' has no 'type'; give one of: point, sphere, capsule, box, plane, "
     "cylinder, profile"},
    {"UnknownKeyOfPart", kSpace + R"(contacts:
  c: {between: [[{type: point, body: ball, radius: 1}], {type: plane}]}
)",
     "m.yaml:10:44: unknown key 'radius' in point part '1.1'; known: type, body, at, repeat"},
    {"PartWithoutBody", kSpace + R"(contacts:
  c: {between: [{type: point}, {type: plane}]}
)",
     "m.yaml:10:17: point part '1' has no 'body'; add it: The body it is part of, or `ground`"},
    {"UnknownBody", kSpace + R"(contacts:
  c: {between: [{type: point, body: bal}, {type: plane}]}
)",
     "m.yaml:10:37: contact 'c': point: unknown body 'bal'; did you mean 'ball'?"},
    {"UnknownBodyFarFromAny", kSpace + R"(contacts:
  c: {between: [{type: point, body: satellite}, {type: plane}]}
)",
     "m.yaml:10:37: contact 'c': point: unknown body 'satellite'; name a body of this file or "
     "'ground'"},
    {"BodyAgainstItself", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: plane, body: ball}]}
)",
     "m.yaml:10:16: contact 'c': 'ball' is on both sides, but a body does not touch itself; "
     "name it on one of them"},
    {"BodyOnBothSides", kSpace + R"(contacts:
  c: {between: [[{type: sphere, body: ball, radius: 1}, {type: point, body: table}], [{type: plane}, {type: sphere, body: ball, radius: 1}]]}
)",
     "m.yaml:10:16: contact 'c': 'ball' is on both sides, but a body does not touch itself; "
     "name it on one of them"},
    {"NoLaw", kSpace + R"(contacts:
  c: {between: [{type: plane, body: ball}, {type: plane}]}
)",
     "m.yaml:10:16: contact 'c': there is no law for a plane that touches a plane; a plane "
     "touches point, sphere, capsule, box"},
    {"NoLawOfPoints", kSpace + R"(contacts:
  c: {between: [[{type: point, body: ball}, {type: sphere, body: ball, radius: 1}], [{type: sphere, body: table, radius: 1}, {type: point, body: table}]]}
)",
     "m.yaml:10:16: contact 'c': there is no law for a point that touches a point; a point "
     "touches sphere, capsule, box, plane, cylinder, profile"},
    {"NoLawAmong", kSpace + R"(contacts:
  c: {among: [{type: cylinder, body: ball, radius: 1, axis: [0, 0, 1]}, {type: sphere, body: ball, radius: 1}, {type: capsule, body: table, from: [0, 0, 0], to: [1, 0, 0], radius: 1}]}
)",
     "m.yaml:10:14: contact 'c': there is no law for a capsule that touches a cylinder; a "
     "capsule touches point, sphere, plane"},
    {"RestitutionAboveOne", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: plane}], restitution: 1.2}
)",
     "m.yaml:10:85: contact 'c': restitution is 1.2, it must be from 0 to 1"},
    {"NegativeRestitution", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: plane}], restitution: -0.1}
)",
     "m.yaml:10:85: contact 'c': restitution is -0.1, it must be from 0 to 1"},
    {"NegativeFriction", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: plane}], friction: -0.3}
)",
     "m.yaml:10:82: contact 'c': friction is -0.3, it must not be negative"},
    {"InfiniteFriction", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: plane}], friction: .inf}
)",
     "m.yaml:10:82: contact 'c': friction is '.inf'; give a finite number"},
    {"UnknownParameter", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: plane}], friction: mu}
)",
     "m.yaml:10:82: contact 'c': friction: unknown name 'mu'; define it under 'parameters'"},
    {"FrictionOfTime", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: plane}], friction: 0.1*t}
)",
     "m.yaml:10:86: contact 'c': friction: the expression depends on t; only drives, forces "
     "and torques may be functions of time"},
    {"UnknownLaw", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: plane}], law: newtn}
)",
     "m.yaml:10:77: contact 'c': 'law' cannot be 'newtn'; did you mean 'newton'?"},
    {"RadiusOfZero", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 0}, {type: plane}]}
)",
     "m.yaml:10:52: contact 'c': sphere of 'ball': radius is 0, it must be positive"},
    {"NegativeRadius", kSpace + R"(contacts:
  c: {between: [{type: capsule, body: ball, from: [0, 0, 0], to: [1, 0, 0], radius: -1}, {type: plane}]}
)",
     "m.yaml:10:85: contact 'c': capsule of 'ball': radius is -1, it must be positive"},
    {"CylinderWithoutRadius", kSpace + R"(contacts:
  c: {between: [{type: cylinder, body: ball, radius: 0, axis: [0, 0, 1]}, {type: point, body: table}]}
)",
     "m.yaml:10:54: contact 'c': cylinder of 'ball': radius is 0, it must be positive"},
    {"CapsuleWithoutLength", kSpace + R"(contacts:
  c: {between: [{type: capsule, body: ball, from: [1, 0, 0], to: [1, 0, 0], radius: 1}, {type: plane}]}
)",
     "m.yaml:10:66: contact 'c': capsule of 'ball': its ends are 0 m apart; give two "
     "different points, or make it a sphere"},
    {"FlatBox", kSpace + R"(contacts:
  c: {between: [{type: box, body: ball, size: [1, 0, 1]}, {type: plane}]}
)",
     "m.yaml:10:47: contact 'c': box of 'ball': size is 0, it must be positive"},
    {"NormalOfZero", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: plane, normal: [0, 0, 0]}]}
)",
     "m.yaml:10:78: contact 'c': plane of 'ground': normal has zero length; give a nonzero "
     "vector"},
    {"AxisOfZero", kSpace + R"(contacts:
  c: {between: [{type: cylinder, body: ball, radius: 1, axis: [0, 0, 0]}, {type: point, body: table}]}
)",
     "m.yaml:10:63: contact 'c': cylinder of 'ball': axis has zero length; give a nonzero "
     "vector"},
    {"PlanarNormalInSpace", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: plane, normal: [0, 1]}]}
)",
     "m.yaml:10:78: contact 'c': plane: normal has 2 elements; give 3 numbers"},
    {"AngleInSpace", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: profile, angle: 1, height: x}]}
)",
     "m.yaml:10:79: contact 'c': profile: angle is for planar models; give 'rotation'"},
    {"RotationWithoutAxis", kSpace + R"(contacts:
  c: {between: [{type: box, body: ball, size: [1, 1, 1], rotation: {angle: 1}}, {type: plane}]}
)",
     "m.yaml:10:68: contact 'c': box: rotation has 'angle' without 'axis'; give both"},
    {"CapsuleOfAPoint", kSpace + R"(contacts:
  c: {between: [{type: capsule, body: dot, from: [0, 0, 0], to: [1, 0, 0], radius: 1}, {type: plane}]}
)",
     "m.yaml:10:39: contact 'c': capsule of 'dot': the body is a point mass, which has no "
     "axes; make it a rigid body, or the part a point or a sphere"},
    {"PartBesideAPoint", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: dot, radius: 1, center: [1, 0, 0]}, {type: plane}]}
)",
     "m.yaml:10:62: contact 'c': sphere of 'dot': the body is a point mass; its parts are at "
     "its origin, remove center"},
    {"ProfileOfNothing", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: profile}]}
)",
     "m.yaml:10:56: contact 'c': profile of 'ground': it has neither height nor points; give "
     "one of them"},
    {"ProfileOfBoth", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: profile, height: x, points: [[0, 0], [1, 0]]}]}
)",
     "m.yaml:10:91: contact 'c': profile of 'ground': points are given beside height; keep "
     "one of them"},
    {"ProfileOfOnePoint", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: profile, points: [[0, 0]]}]}
)",
     "m.yaml:10:80: contact 'c': profile of 'ground': it runs through one point; give at "
     "least 2, or a height"},
    {"ProfileGoesBack", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: profile, points: [[0, 0], [1, 0], [0.5, 0]]}]}
)",
     "m.yaml:10:80: contact 'c': profile of 'ground': x of point 3 is 0.5 after 1; it must "
     "grow from point to point"},
    {"ProfileOfTriples", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: profile, points: [[0, 0, 0], [1, 0, 0]]}]}
)",
     "m.yaml:10:81: contact 'c': profile: points has 3 elements; give 2 numbers, x and height"},
    {"ProfileSmoothAnyway", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: profile, height: x, smooth: true}]}
)",
     "m.yaml:10:91: contact 'c': profile of 'ground': smooth says how points are joined; "
     "remove it beside height"},
    {"HeightOfY", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: profile, height: x*y}]}
)",
     "m.yaml:10:82: contact 'c': profile: height: 'y' is unknown here; a height is a function "
     "of x and of parameters"},
    {"HeightOfTime", kSpace + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: profile, height: x*t}]}
)",
     "m.yaml:10:82: contact 'c': profile: height: 't' is unknown here; a height is a function "
     "of x and of parameters"},
    {"HeightWithAParameterX", kSpace + R"(parameters: {x: 1}
contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: profile, height: x^2}]}
)",
     "m.yaml:11:80: contact 'c': profile: height depends on x, which is the coordinate along "
     "the profile here and a parameter elsewhere; rename the parameter 'x'"},
    {"BoxInThePlane", kPlane + R"(contacts:
  c: {between: [{type: box, body: ball, size: [1, 1, 1]}, {type: plane}]}
)",
     "m.yaml:9:47: contact 'c': box: size has 3 elements; give 2 numbers: the model is planar"},
    {"CylinderInThePlane", kPlane + R"(contacts:
  c: {between: [{type: cylinder, body: ball, radius: 1, axis: [0, 0, 1]}, {type: plane}]}
)",
     "m.yaml:9:24: contact 'c': cylinder is a part of spatial models, but this one is planar; "
     "a disk is a sphere"},
    {"SpatialPointInThePlane", kPlane + R"(contacts:
  c: {between: [{type: point, body: ball, at: [0, 0, 0]}, {type: plane}]}
)",
     "m.yaml:9:47: contact 'c': point: at has 3 elements; give 2 numbers: the model is planar"},
    {"RotationInThePlane", kPlane + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: profile, rotation: {axis: [0, 0, 1], angle: 1}, height: x}]}
)",
     "m.yaml:9:82: contact 'c': profile: rotation is for spatial models; give 'angle'"},
    {"NormalOfZeroInThePlane", kPlane + R"(contacts:
  c: {between: [{type: sphere, body: ball, radius: 1}, {type: plane, normal: [0, 0]}]}
)",
     "m.yaml:9:78: contact 'c': plane of 'ground': normal has zero length; give a nonzero "
     "vector"},
    {"GapOfAnUnknownJoint", kSpace + R"(contacts:
  c: {gap: {joint: hing, is: x}}
)",
     "m.yaml:10:20: contact 'c': unknown joint 'hing'; did you mean 'hinge'?"},
    {"GapWithoutAFreedom", kSpace + R"(contacts:
  c: {gap: {joint: tube, is: x}}
)",
     "m.yaml:10:12: contact 'c': joint 'tube' is cylindrical; say of which of its freedoms "
     "the gap is, one or two different ones: it has angle and displacement"},
    {"GapOfWhatTheJointHasNot", kSpace + R"(contacts:
  c: {gap: {joint: hinge, of: displacement, is: x}}
)",
     "m.yaml:10:31: contact 'c': joint 'hinge' is revolute and has no displacement; it has "
     "angle"},
    {"GapOfAnUnknownFreedom", kSpace + R"(contacts:
  c: {gap: {joint: hinge, of: angel, is: x}}
)",
     "m.yaml:10:31: gap: 'of' cannot be 'angel'; did you mean 'angle'?"},
    {"GapOfAnUnknownFreedomInAList", kSpace + R"(contacts:
  c: {gap: {joint: tube, of: [angle, shift], is: x}}
)",
     "m.yaml:10:38: contact 'c': gap: of has 'shift', which is no freedom; give one or two of "
     "angle, second_angle, displacement, direction, second_displacement"},
    {"GapOfTheSameTwice", kSpace + R"(contacts:
  c: {gap: {joint: tube, of: [angle, angle], is: x}}
)",
     "m.yaml:10:30: contact 'c': joint 'tube' is cylindrical; say of which of its freedoms "
     "the gap is, one or two different ones: it has angle and displacement"},
    {"GapOfNoFreedom", kSpace + R"(contacts:
  c: {gap: {joint: tube, of: [], is: x}}
)",
     "m.yaml:10:12: contact 'c': joint 'tube' is cylindrical; say of which of its freedoms "
     "the gap is, one or two different ones: it has angle and displacement"},
    {"GapOfY", kSpace + R"(contacts:
  c: {gap: {joint: hinge, is: 1 - y}}
)",
     "m.yaml:10:35: contact 'c': gap: is: 'y' is unknown here; a gap is a function of x and "
     "of parameters"},
    {"GapOfTime", kSpace + R"(contacts:
  c: {gap: {joint: hinge, is: x - t}}
)",
     "m.yaml:10:35: contact 'c': gap: is: 't' is unknown here; a gap is a function of x and "
     "of parameters"},
    {"GapOfAnUnknownName", kSpace + R"(contacts:
  c: {gap: {joint: hinge, is: x - limit}}
)",
     "m.yaml:10:35: contact 'c': gap: is: 'limit' is unknown here; a gap is a function of x "
     "and of parameters"},
    {"GapThatIsConstant", kSpace + R"(contacts:
  c: {gap: {joint: hinge, is: 1}}
)",
     "m.yaml:10:31: contact 'c': its gap is 1 whatever the joint does; give an expression of "
     "x, as in 1.2 - x"},
    {"GapWithFriction", kSpace + R"(contacts:
  c: {gap: {joint: hinge, is: x}, friction: 0.2}
)",
     "m.yaml:10:45: contact 'c': friction is 0.2, but a gap of a joint has no surface to rub "
     "on; remove it, or let parts of bodies touch"},
    {"GapWithoutExpression", kSpace + R"(contacts:
  c: {gap: {joint: hinge}}
)",
     "m.yaml:10:12: gap has no 'is'; add it: The gap, an expression of `x`(, `y`) and "
     "parameters that must not become negative"},
    {"GapOfALineWithoutAName", kPlane + R"(contacts:
  c: {gap: {joint: rope, is: x}}
)",
     "m.yaml:9:12: contact 'c': joint 'rope' is distance; name the direction of its line "
     "first, as in coordinates: {direction: phi}"},
    {"GapWithAParameterX", kSpace + R"(parameters: {x: 1}
contacts:
  c: {gap: {joint: hinge, is: x}}
)",
     "m.yaml:11:31: contact 'c': gap: is depends on x, which is a freedom of the joint here "
     "and a parameter elsewhere; rename the parameter 'x'"},
    {"IndexOfTheContactAgain", kSpace + R"(contacts:
  "c[i]": {repeat: {i: [1, 2]}, between: [{type: point, body: ball, repeat: {i: [1, 2]}}, {type: plane}]}
)",
     "m.yaml:10:78: contact 'c[1]': point: repeat: index 'i' is an index of the contact; "
     "rename one of them\nm.yaml:10:78: contact 'c[2]': point: repeat: index 'i' is an index "
     "of the contact; rename one of them"},
    {"IndexThatIsNoName", kSpace + R"(contacts:
  c: {between: [{type: point, body: ball, repeat: {t: [1, 2]}}, {type: plane}]}
)",
     "m.yaml:10:52: contact 'c': point: repeat: index 't' cannot name an index; use a word "
     "such as 'i'"},
    {"RepeatOfAnUnknownBody", kSpace + R"(contacts:
  c: {between: [{type: point, body: "ball[i]", repeat: {i: [1, 2]}}, {type: plane}]}
)",
     "m.yaml:10:37: contact 'c': point: unknown body 'ball[1]'; did you mean "
     "'ball'?\nm.yaml:10:37: contact 'c': point: unknown body 'ball[2]'; did you mean 'ball'?"},
    {"TooManyParts", kSpace + R"(contacts:
  c: {between: [{type: point, body: ball, repeat: {i: [1, 1e7]}}, {type: plane}]}
)",
     "m.yaml:10:51: contact 'c': point: repeat makes 10000000 objects; a file may make "
     "1000000 in total, lower the bounds"},
    {"LimitsOfNothing", kStop +
         R"(type: revolute, at: [0, 0, 0], axis: [0, 0, 1], limits: {restitution: 0.1}})",
     "m.yaml:9:91: joint 'stop': limits has no bounds; give some, as in {angle: [-1, 1]}"},
    {"LimitsInTheWrongOrder", kStop +
         R"(type: revolute, at: [0, 0, 0], axis: [0, 0, 1], limits: {angle: [1, -1]}})",
     "m.yaml:9:99: joint 'stop': limits: angle has the lower bound 1 and the upper bound -1; "
     "the lower comes first and must be less"},
    {"LimitsOfOneNumber", kStop +
         R"(type: revolute, at: [0, 0, 0], axis: [0, 0, 1], limits: {angle: 1}})",
     "m.yaml:9:99: limits: 'angle' is '1'; give a list of 2 numbers"},
    {"LimitsWithoutABound", kStop +
         R"(type: revolute, at: [0, 0, 0], axis: [0, 0, 1], limits: {angle: [-.inf, 1]}})",
     "m.yaml:9:100: joint 'stop': limits: angle is '-.inf'; give a finite number"},
    {"LimitsOfWhatTheJointHasNot", kStop +
         R"(type: revolute, at: [0, 0, 0], axis: [0, 0, 1], limits: {displacement: [0, 1]}})",
     "m.yaml:9:107: contact 'stop.lower': joint 'stop' is revolute and has no displacement; "
     "it has angle\nm.yaml:9:107: contact 'stop.upper': joint 'stop' is revolute and has no "
     "displacement; it has angle"},
    {"LimitsWithTooMuchRestitution", kStop +
         R"(type: revolute, at: [0, 0, 0], axis: [0, 0, 1], limits: {angle: [0, 1], restitution: 2}})",
     "m.yaml:9:120: contact 'stop.lower': restitution is 2, it must be from 0 to "
     "1\nm.yaml:9:120: contact 'stop.upper': restitution is 2, it must be from 0 to 1"},
    {"LimitsOfABall", kStop +
         R"(type: spherical, at: [0, 0, 0], limits: {angle: [0, 1]}})",
     "m.yaml:9:67: unknown key 'limits' in spherical joint 'stop'; known: type, between, at, "
     "tree, repeat"},
};

TEST_P(BadContact, IsRefusedWithItsPlace) {
  expect_message();
}

INSTANTIATE_TEST_SUITE_P(Contacts, BadContact, testing::ValuesIn(kFiles), name_of_case);

}  // namespace
}  // namespace daedal::io
