// Wrong model files: joints, forces, initial states, outputs, settings, repeats.
#include "io/bad_model_file.hpp"

namespace daedal::io {
namespace {

class BadMechanism : public BadModelFile {};

const BadFile kFiles[] = {
    {"UnknownJointType", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  hinge: {type: revolut, between: [ground, a], at: [0, 0]}
)",
     "m.yaml:7:17: joint 'hinge' has the unknown type 'revolut'; did you mean 'revolute'?"},
    {"JointWithoutType", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  hinge: {between: [ground, a], at: [0, 0]}
)",
     "m.yaml:7:10: joint 'hinge' has no 'type'; give one of: revolute, prismatic, spherical, "
     "universal, cylindrical, fixed, distance, free, surface, planar, screw"},
    {"UnknownBody", R"(daedal: 1
planar: true
bodies:
  crank: {mass: 1, inertia: 1}
joints:
  hinge: {type: revolute, between: [ground, cranc], at: [0, 0]}
)",
     "m.yaml:6:36: joint 'hinge': unknown body 'cranc'; did you mean 'crank'?"},
    {"BodyJointedToItself", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  hinge: {type: revolute, between: [a, a], at: [0, 0]}
)",
     "m.yaml:7:36: joint 'hinge': connects 'a' to itself; name two different bodies"},
    {"JointOfThreeBodies", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  hinge: {type: revolute, between: [ground, a, b], at: [0, 0]}
)",
     "m.yaml:7:36: joint 'hinge': between has 3 elements; give 2 names of bodies"},
    {"JointWithoutPoint", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  hinge: {type: revolute, between: [ground, a]}
)",
     "m.yaml:7:10: revolute joint 'hinge' has no 'at'; add it: World point in the reference "
     "pose, or a map from each of the two bodies to a point in its frame"},
    {"PointOfStrangeBody", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  hinge: {type: revolute, between: [ground, a], at: {ground: [0, 0], b: [0, 0]}}
)",
     "m.yaml:7:70: joint 'hinge': at names 'b'; its bodies are 'ground' and 'a'"},
    {"PointOfOneBodyOnly", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  hinge: {type: revolute, between: [ground, a], at: {a: [0, 0]}}
)",
     "m.yaml:7:53: joint 'hinge': at has no value for 'ground'; give one for each body"},
    {"ZeroAxis", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  hinge: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 0]}
)",
     "m.yaml:6:70: joint 'hinge': axis has zero length; give a nonzero vector"},
    {"SpatialHingeWithoutAxis", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  hinge: {type: revolute, between: [ground, a], at: [0, 0, 0]}
)",
     "m.yaml:6:10: joint 'hinge' has no 'axis'; add it: a direction in the reference pose"},
    {"AxisOfPlanarHinge", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  hinge: {type: revolute, between: [ground, a], at: [0, 0], axis: [0, 1]}
)",
     "m.yaml:7:67: joint 'hinge': axis is given, but a planar revolute joint turns about z; "
     "remove it"},
    {"BallInThePlane", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  ball: {type: spherical, between: [ground, a], at: [0, 0]}
)",
     "m.yaml:7:16: joint 'ball': a spherical joint has no meaning in the plane; use revolute, "
     "prismatic, fixed or distance"},
    {"ObliqueCross", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  cross: {type: universal, between: [a, b], at: [0, 0, 0], axes: [[1, 0, 0], [1, 1, 0]]}
)",
     "m.yaml:6:66: joint 'cross': axes are at 45 degrees; they must be perpendicular"},
    {"NegativeDistance", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  bar: {type: distance, between: [a, b], at: {a: [0, 0], b: [1, 0]}, length: -1}
)",
     "m.yaml:7:78: joint 'bar': length is -1, it must be positive; give the length of "
     "the bar, or points that are apart in the reference pose (for a zero distance use a revolute "
     "joint)"},
    {"DistanceOfZero", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  bar: {type: distance, between: [a, b], at: {a: [0, 0], b: [0, 0]}}
)",
     "m.yaml:7:3: joint 'bar': length is 0, it must be positive; give the length of "
     "the bar, or points that are apart in the reference pose (for a zero distance use a revolute "
     "joint)"},
    {"DriveOfBall", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  ball: {type: spherical, between: [ground, a], at: [0, 0, 0], drive: {angle: t}}
)",
     "m.yaml:6:64: unknown key 'drive' in spherical joint 'ball'; known: type, between, at, "
     "tree, repeat"},
    {"AngleOfSlide", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  slide: {type: prismatic, between: [ground, a], at: [0, 0], axis: [1, 0], drive: {angle: t}}
)",
     "m.yaml:7:83: joint 'slide': a prismatic joint has no angle to drive; drive an angle of "
     "a revolute or a displacement of a prismatic joint"},
    {"TwoDrives", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  hinge: {type: revolute, between: [ground, a], at: [0, 0], drive: {angle: t, angular_speed: 1}}
)",
     "m.yaml:7:68: joint 'hinge': drive has 2 motions; give one of angle, displacement, "
     "angular_speed, speed"},
    {"DriveOfUnknownName", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  hinge: {type: revolute, between: [ground, a], at: [0, 0], drive: {angle: omega*t}}
)",
     "m.yaml:7:76: joint 'hinge': drive: angle: unknown name 'omega'; define it under "
     "'parameters'"},
    {"JointCalledLikeBody", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  a: {type: revolute, between: [ground, a], at: [0, 0]}
)",
     "m.yaml:7:3: joint 'a': a body has the same name; rename one of them"},
    {"HingeOnPointMass", R"(daedal: 1
bodies:
  m: {type: point, mass: 1}
joints:
  hinge: {type: revolute, between: [ground, m], at: [0, 0, 0], axis: [0, 0, 1]}
)",
     "m.yaml:5:36: joint 'hinge': 'm' is a point mass and cannot carry a revolute joint; use "
     "spherical or distance or make it a rigid body"},
    {"JointBesidePointMass", R"(daedal: 1
planar: true
bodies:
  m: {type: point, mass: 1}
joints:
  pin: {type: revolute, between: [ground, m], at: [1, 0]}
)",
     "m.yaml:6:51: joint 'pin': 'm' is a point mass; joints attach at its origin"},
    {"UnknownForce", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
forces:
  f: {type: sprin, between: []}
)",
     "m.yaml:7:13: element 'f' has the unknown type 'sprin'; did you mean 'spring'?"},
    {"NegativeStiffness", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
forces:
  f: {type: spring, between: [[ground, [0, 1]], [a, [0, 0]]], stiffness: -1}
)",
     "m.yaml:7:74: spring 'f': stiffness is -1, it must not be negative"},
    {"SpringWithoutPoints", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
forces:
  f: {type: spring, between: [a, b], stiffness: 1}
)",
     "m.yaml:7:31: force 'f': between is a scalar; give a list of 2 values, as in [body, [0, "
     "0, 0]]"},
    {"SpringOnUnknownJoint", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  hinge: {type: revolute, between: [ground, a], at: [0, 0]}
forces:
  f: {type: joint-spring, joint: hing, stiffness: 1}
)",
     "m.yaml:9:34: spring 'f': unknown joint 'hing'; did you mean 'hinge'?"},
    {"LoadOnBar", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  bar: {type: distance, between: [a, b], at: {a: [0, 0], b: [1, 0]}}
forces:
  f: {type: joint-load, joint: bar, value: 1}
)",
     "m.yaml:9:32: load 'f': joint 'bar' is distance; name the direction of its line first, as in "
     "coordinates: {direction: phi}"},
    {"CoordinateOfBall", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
joints:
  ball: {type: spherical, between: [ground, a], at: [0, 0, 0], coordinates: {angle: phi}}
)",
     "m.yaml:5:64: unknown key 'coordinates' in spherical joint 'ball'; known: type, between, at, "
     "tree, repeat"},
    {"WrongCoordinate", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
joints:
  pin: {type: revolute, between: [ground, a], at: [0, 0], coordinates: {displacement: s}}
)",
     "m.yaml:6:72: joint 'pin': a revolute joint has no displacement; it has angle"},
    {"CoordinateNamedAsBody", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
joints:
  pin: {type: revolute, between: [ground, a], at: [0, 0], coordinates: {angle: a}}
)",
     "m.yaml:6:72: joint 'pin': the name 'a' is taken; give its angle another"},
    {"CoordinateNamedGround", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
joints:
  pin: {type: revolute, between: [ground, a], at: [0, 0], coordinates: {angle: ground}}
)",
     "m.yaml:6:72: joint 'pin': 'ground' is the fixed world; give its angle another name"},
    {"JointNamedGround", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
joints:
  ground: {type: revolute, between: [ground, a], at: [0, 0]}
)",
     "m.yaml:6:3: joint 'ground': 'ground' is the fixed world; choose another name"},
    {"CoordinateNamedByANumber", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
joints:
  pin: {type: revolute, between: [ground, a], at: [0, 0], coordinates: {angle: 3}}
)",
     "m.yaml:6:80: joint 'pin': coordinates '3' is no name; begin with a letter, as in {angle: "
     "phi}"},
    {"LoadWithoutFreedom", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
joints:
  slide: {type: cylindrical, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
forces:
  f: {type: joint-load, joint: slide, value: 1}
)",
     "m.yaml:7:32: load 'f': joint 'slide' is cylindrical; say on which freedom it acts, it has "
     "angle and displacement"},
    {"ForceOnGround", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
forces:
  f: {type: force, body: ground, value: [1, 0]}
)",
     "m.yaml:7:26: force 'f': acts on the ground; name a body"},
    {"PlanarTorqueAsVector", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
forces:
  f: {type: torque, body: a, value: [0, 0, 1]}
)",
     "m.yaml:7:37: force 'f': value is a list; in a planar model it is one expression"},
    {"ForceInStrangeFrame", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
forces:
  f: {type: force, body: a, value: [0, 1], frame: local}
)",
     "m.yaml:7:51: force element 'f': 'frame' cannot be 'local'; known: world, body"},
    {"InitialStateOfUnknownBody", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
initial:
  c: {angle: 1}
)",
     "m.yaml:7:3: initial: unknown body 'c'; name a body of this file or 'ground'"},
    {"InitialSpinAsVectorInThePlane", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
initial:
  a: {angular_velocity: [0, 0, 1]}
)",
     "m.yaml:7:25: initial state 'a': angular_velocity is a list; in a planar model it is one "
     "number"},
    {"OutputOfNothing", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
outputs:
  o: {component: x}
)",
     "m.yaml:7:6: output 'o' has no quantity; give one of position, velocity, acceleration, "
     "angle, angular_speed, displacement, speed, angular_velocity, reaction, energy"},
    {"OutputOfTwoQuantities", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
outputs:
  o: {position: a, velocity: a}
)",
     "m.yaml:7:30: output 'o': velocity is given beside 'position'; an output is one of them"},
    {"OutputOfUnknownBody", R"(daedal: 1
planar: true
bodies:
  crank: {mass: 1, inertia: 1}
outputs:
  o: {position: krank}
)",
     "m.yaml:6:3: output 'o.x': unknown body 'krank'; did you mean 'crank'?"},
    {"PlanarOutputOfZ", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
outputs:
  o: {position: a, component: z}
)",
     "m.yaml:7:31: output 'o': component is 'z'; 'position' has x, y here"},
    {"ComponentOfAngle", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  hinge: {type: revolute, between: [ground, a], at: [0, 0]}
outputs:
  o: {angle: hinge, component: x}
)",
     "m.yaml:9:32: output 'o': component is given, but 'angle' is one number; remove it"},
    {"DisplacementOfHinge", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  hinge: {type: revolute, between: [ground, a], at: [0, 0]}
outputs:
  o: {displacement: hinge}
)",
     "m.yaml:9:3: output 'o': joint 'hinge' is revolute and has no such coordinate; it has "
     "angle and angular_speed"},
    {"UnknownMethod", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
simulate: {method: newmarc}
)",
     "m.yaml:6:20: simulate: 'method' cannot be 'newmarc'; did you mean 'newmark'?"},
    {"UnknownSetting", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
simulate: {untill: 1}
)",
     "m.yaml:6:12: unknown key 'untill' in simulate; did you mean 'until'?"},
    {"NegativeStep", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
simulate: {step: -1e-3}
)",
     "m.yaml:6:18: simulate: step is -0.001, it must be positive and finite [s]"},
    {"RadiusAboveOne", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
simulate: {rho_inf: 1.5}
)",
     "m.yaml:6:21: simulate: rho_inf is 1.5, it must lie in [0, 1]"},
    {"FractionalIterations", R"(daedal: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
simulate: {max_iterations: 2.5}
)",
     "m.yaml:6:28: simulate: 'max_iterations' is '2.5'; give an integer"},
    {"RepeatOfABillion", R"(daedal: 1
planar: true
bodies:
  "a[i]": {repeat: {i: [1, 1e9]}, mass: 1, inertia: 1}
)",
     "m.yaml:4:20: body 'a[i]': repeat makes 1000000000 objects; a file may make 1000000 in "
     "total, lower the bounds"},
    {"RepeatsOfAMillionEach", R"(daedal: 1
planar: true
bodies:
  "a[i]": {repeat: {i: [1, 600000]}, mass: 1, inertia: 1}
  "b[i]": {repeat: {i: [1, 600000]}, mass: 1, inertia: 1}
)",
     "m.yaml:5:20: body 'b[i]': repeat makes 600000 objects, 1200000 with those before; a "
     "file may make 1000000 in total, lower the bounds"},
    {"RepeatToAFraction", R"(daedal: 1
planar: true
parameters: {N: 2.5}
bodies:
  "a[i]": {repeat: {i: [1, N]}, mass: 1, inertia: 1}
)",
     "m.yaml:5:28: body 'a[i]': repeat: 'i' is 2.5; give a whole number from -1e+09 to 1e+09"},
    {"RepeatOfThreeIndices", R"(daedal: 1
planar: true
bodies:
  "a[i][j][k]": {repeat: {i: [1, 2], j: [1, 2], k: [1, 2]}, mass: 1, inertia: 1}
)",
     "m.yaml:4:26: body 'a[i][j][k]': repeat has 3 indices; give one or two, as in {i: [1, "
     "10]}"},
    {"RepeatWithoutIndexInName", R"(daedal: 1
planar: true
bodies:
  link: {repeat: {i: [1, 2]}, mass: 1, inertia: 1}
)",
     "m.yaml:4:19: body 'link': repeat: index 'i' does not occur in the name; write it as "
     "'link[i]'"},
    {"RepeatOverAParameter", R"(daedal: 1
planar: true
parameters: {i: 1}
bodies:
  "a[i]": {repeat: {i: [1, 2]}, mass: 1, inertia: 1}
)",
     "m.yaml:5:21: body 'a[i]': repeat: index 'i' is also a parameter; rename one of them"},
    {"RepeatMakesAnObjectTwice", R"(daedal: 1
planar: true
bodies:
  "a[i]": {repeat: {i: [1, 3]}, mass: 1, inertia: 1}
  "a[2]": {mass: 1, inertia: 1}
)",
     "m.yaml:5:3: body 'a[2]' is made twice, first at m.yaml:4:3; rename one of them"},
    {"IndexWithoutRepeat", R"(daedal: 1
planar: true
bodies:
  "a[i]": {mass: 1, inertia: 1}
)",
     "m.yaml:4:3: body: name 'a[i]': unknown name 'i'; define it under 'parameters' or by "
     "'repeat'"},
    {"ProblemInARepeat", R"(daedal: 1
planar: true
bodies:
  "a[i]":
    repeat: {i: [1, 3]}
    mass: 2 - i
    inertia: 1
)",
     "m.yaml:6:11: body 'a[2]': mass is 0, it must be positive and finite; give its mass in "
     "kg\n"
     "m.yaml:6:11: body 'a[3]': mass is -1, it must be positive and finite; give its mass in "
     "kg"},
    {"NeighbourBeyondTheEnd", R"(daedal: 1
planar: true
bodies:
  "a[i]": {repeat: {i: [1, 3]}, mass: 1, inertia: 1}
joints:
  "j[i]": {repeat: {i: [3, 3]}, type: revolute, between: ["a[i]", "a[i+1]"], at: [0, 0]}
)",
     "m.yaml:6:58: joint 'j[3]': unknown body 'a[4]'; did you mean 'a[1]'?"},
    {"SeveralProblems", R"(daedal: 1
planar: true
bodies:
  a: {mass: -1, inertia: 1}
  b: {mass: 1, inertia: 0}
simulate: {until: -1}
)",
     "m.yaml:4:13: body 'a': mass is -1, it must be positive and finite; give its mass in kg\n"
     "m.yaml:5:25: body 'b': inertia is 0, it must be positive; give the moment of inertia "
     "about the centre of mass in kg m^2, or make it a point (type: point)\n"
     "m.yaml:6:19: simulate: until is -1, it must be positive and finite [s]"},
    {"ScrewWithoutPitch", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  thread: {type: screw, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
)",
     "m.yaml:6:11: screw joint 'thread' has no 'pitch'; add it: Displacement per turn; positive: a "
     "right-handed thread"},
    {"ScrewWithPitchZero", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  thread: {type: screw, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], pitch: 0}
)",
     "m.yaml:6:86: joint 'thread': pitch is 0, it must be finite and not zero; give the displacement per turn in "
     "m (without one use a revolute joint)"},
    {"HeightOfAnUnknownName", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  track: {type: surface, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], height: x + rho}
)",
     "m.yaml:6:92: joint 'track': height: 'rho' is unknown here; a height is a function of x and y and of "
     "parameters"},
    {"HeightOfTime", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  track: {type: surface, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], height: x*t}
)",
     "m.yaml:6:90: joint 'track': height: 't' is unknown here; a height is a function of x and y and of "
     "parameters"},
    {"HeightWithAKink", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  track: {type: surface, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], height: 2*abs(x)}
)",
     "m.yaml:6:90: joint 'track': height: abs has kinks or jumps, and a surface needs second derivatives; use "
     "smooth functions, as sqrt(x^2 + 1e-6) for abs(x)"},
    {"HeightOfAParameterNamedLikeACoordinate", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
parameters: {x: 2}
joints:
  track: {type: surface, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], height: x^2}
)",
     "m.yaml:7:88: joint 'track': height depends on x, which is the coordinate along the surface here and a "
     "parameter elsewhere; rename the parameter 'x'"},
    {"AxisBesideAxes", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  table: {type: planar, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], axes: [[0, 0, 1], [1, 0, 0]]}
)",
     "m.yaml:6:68: joint 'table': axis is given beside 'axes', which says all; remove it"},
    {"PlanarJointWithoutAxis", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  table: {type: planar, between: [ground, a], at: [0, 0, 0]}
)",
     "m.yaml:6:10: joint 'table' has no 'axis'; add it: a direction in the reference pose"},
    {"SurfaceOfAPointMass", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
  dot: {type: point, mass: 1}
joints:
  track: {type: surface, between: [dot, a], at: [0, 0, 0], axis: [0, 0, 1]}
)",
     "m.yaml:7:35: joint 'track': 'dot' is a point mass and has no surface; name the body with the surface first"},
    {"DistanceThatMustCarry", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  rope: {type: distance, between: [ground, a], at: {ground: [0, 0, 1]}, tree: true}
)",
     "m.yaml:6:79: joint 'rope': a distance joint cannot carry a body in joint coordinates; remove 'tree' or set "
     "it to false"},
    {"JointsThatMustCarryInALoop", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  foot: {type: spherical, between: [ground, a], at: [0, 0, 0], tree: true}
  knee: {type: spherical, between: [a, b], at: [1, 0, 0], tree: true}
  place: {type: free, between: [ground, b]}
)",
     "m.yaml:8:3: joint 'place': must carry a body, and closes a loop with 'knee', 'foot', which must as well; "
     "set 'tree: false' for one of them"},
    {"LoadOnAPlaneWithoutFreedom", R"(daedal: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  table: {type: planar, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
forces:
  motor: {type: joint-load, joint: table, value: 1}
)",
     "m.yaml:8:36: load 'motor': joint 'table' is planar; say on which freedom it acts, it has displacement and "
     "second_displacement and angle"},
};

TEST_P(BadMechanism, IsRefusedWithItsMessage) {
  expect_message();
}

INSTANTIATE_TEST_SUITE_P(Table, BadMechanism, testing::ValuesIn(kFiles), name_of_case);

}  // namespace
}  // namespace daedal::io
