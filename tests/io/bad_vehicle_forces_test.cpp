// Wrong bushings, tyres and creep: each message.
#include "io/bad_model_file.hpp"

namespace daedal::io {
namespace {

class BadVehicleForce : public BadModelFile {};

BadFile with(std::string name, const std::string& force, const std::string& message,
             bool planar = false) {
  const std::string bodies =
      planar ? "planar: true\nbodies: {a: {mass: 1, inertia: 1}}\n"
             : "bodies:\n"
               "  {a: {mass: 1, inertia: [1, 1, 1]}, p: {type: point, mass: 1}}\n";
  return {std::move(name), "daedal: 1\n" + bodies + "forces: {f: {" + force + "}}\n",
          "m.yaml:4:" + message};
}

const BadFile kFiles[] = {
    with("TyreWithoutRadius", "type: tyre, body: a, radius: 0, stiffness: 1",
         "43: tyre 'f': radius is 0, it must be positive"),
    with("TyreOnPointMass", "type: tyre, body: p, radius: 1, stiffness: 1",
         "32: tyre 'f': 'p' is a point mass, which cannot roll; make it a rigid body"),
    with("TyreThatFallsTooFar", "type: tyre, body: a, radius: 1, stiffness: 1, magic_shape: 2",
         "73: tyre 'f': magic_shape is 2, it must be at least 1 and less than 2"),
    with("TyreWithoutAxis", "type: tyre, body: a, radius: 1, stiffness: 1, axis: [0, 0, 0]",
         "66: tyre 'f': axis has zero length; give a nonzero vector"),
    with("TyreOnGround", "type: tyre, body: ground, radius: 1, stiffness: 1",
         "32: tyre 'f': acts on the ground; name a body"),
    with("TyreInThePlane", "type: tyre, body: a, radius: 1, stiffness: 1",
         "13: force 'f' acts on the wheel of a spatial model, but this one is planar; remove "
         "'planar', or use springs and forces",
         true),
    with("CreepInThePlane", "type: creep, body: a, radius: 1, load: 1, f11: 1, f22: 1",
         "13: force 'f' acts on the wheel of a spatial model, but this one is planar; remove "
         "'planar', or use springs and forces",
         true),
    with("CreepRadiusOfUnknown", "type: creep, body: a, radius: 0.5 + z, load: 1, f11: 1, f22: 1",
         "50: force 'f': radius: 'z' is unknown here; a radius is a function of y and of "
         "parameters"),
    with("CreepOnRoughTrack",
         "type: creep, body: a, radius: 1, track: abs(x), load: 1, f11: 1, f22: 1",
         "54: force 'f': track: abs has kinks or jumps, and a track needs second derivatives; use "
         "smooth functions, as sqrt(x^2 + 1e-6) for abs(x)"),
    with("CreepWithoutLoad", "type: creep, body: a, radius: 1, load: 0, f11: 1, f22: 1",
         "53: creep 'f': load is 0, it must be positive"),
    with("BushingThatTurnsAPointMass",
         "type: bushing, between: [a, p], at: [0, 0, 0], rotational_stiffness: [1, 1, 1]",
         "83: bushing 'f': 'p' is a point mass, which does not rotate; remove the rotational "
         "stiffness and damping or make it a rigid body"),
    with("BushingOnItself", "type: bushing, between: [a, a], at: [0, 0, 0]",
         "38: bushing 'f': both ends are on 'a'; it would do nothing"),
    with("BushingThatPushes",
         "type: bushing, between: [ground, a], at: [0, 0, 0], stiffness: [1, -1, 1]",
         "77: bushing 'f': stiffness is -1, it must not be negative"),
    with("BushingWithOneRotationInSpace",
         "type: bushing, between: [ground, a], at: [0, 0, 0], rotational_stiffness: 3",
         "88: force 'f': rotational_stiffness is one number; give its 3 components"),
    with("BushingWithThreeRotationsInThePlane",
         "type: bushing, between: [ground, a], at: [0, 0], rotational_stiffness: [1, 2, 3]",
         "85: force 'f': rotational_stiffness is a list; in a planar model it is one number", true),
    with("BushingWithOnePoint", "type: bushing, between: [ground, a], at: {ground: [0, 0, 0]}",
         "55: force 'f': at has no value for 'a'; give one for each body"),
};

TEST_P(BadVehicleForce, EarnsItsMessage) {
  expect_message();
}

INSTANTIATE_TEST_SUITE_P(Files, BadVehicleForce, ::testing::ValuesIn(kFiles), name_of_case);

}  // namespace
}  // namespace daedal::io
