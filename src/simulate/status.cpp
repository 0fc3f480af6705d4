#include "daedal/simulate/status.hpp"

namespace daedal::simulate {

std::string_view name_of(Status status) {
  switch (status) {
    case Status::done: return "done";
    case Status::interrupted: return "interrupted";
    case Status::newton_diverged: return "newton_diverged";
    case Status::singular_matrix: return "singular_matrix";
    case Status::not_finite: return "not_finite";
    case Status::step_too_small: return "step_too_small";
    case Status::unstable: return "unstable";
    case Status::conflicting_constraints: return "conflicting_constraints";
    case Status::no_contact_forces: return "no_contact_forces";
    case Status::events_accumulate: return "events_accumulate";
    case Status::cannot_assemble: return "cannot_assemble";
    case Status::output_failed: return "output_failed";
  }
  return "?";
}

std::string_view advice(Status status) {
  switch (status) {
    case Status::done:
      return "The run reached its end.";
    case Status::interrupted:
      return "The run was interrupted; go on with 'daedal run --continue RESULT'.";
    case Status::newton_diverged:
      return "Newton's iteration did not converge, even with much smaller steps. Try a smaller "
             "simulate.step; look for a locked mechanism, a drive that asks for the impossible, or "
             "a force that grows without bound.";
    case Status::singular_matrix:
      return "The equations of a step are singular, even with regularised constraints. Look for a "
             "body without mass or inertia in a free direction. A massless coordinate without "
             "stiffness needs simulate.augmentation=1, or a solver that pivots "
             "(simulate.linear_solver=klu).";
    case Status::not_finite:
      return "A force or constraint gave a value that is not finite. Check expressions that divide "
             "by zero or take roots of negative numbers, and springs of length zero.";
    case Status::step_too_small:
      return "Steps had to be reduced below a millionth of simulate.step: towards this time the "
             "motion ceases to be smooth. See the rows until then (--plot), and what is named "
             "here: a mechanism that locks or is stretched, a force or drive that grows without "
             "bound or jumps. If nothing of that happens, the steps were too large long before: "
             "take a simulate.step ten times smaller from the start.";
    case Status::unstable:
      return "Energy came from nowhere. If a singular position is named here, the mechanism locks or "
             "branches there: change a length, a place or the drive. Else the method is not stable "
             "with this step: take a smaller simulate.step, a smaller simulate.rho_inf, or "
             "simulate.method=midpoint, from the start or with 'daedal run --continue RESULT --set "
             "simulate.step=...'.";
    case Status::conflicting_constraints:
      return "The constraints contradict each other: no motion satisfies all of them. Compare the "
             "joints and drives named here.";
    case Status::no_contact_forces:
      return "No forces or impulses satisfy the laws of the contacts: a body that slides with much "
             "friction jams (Painleve's paradox). Take a smaller friction of the contact named here, "
             "or a mechanism that is less slender there.";
    case Status::events_accumulate:
      return "Contacts open and close without time going on. See the events until then; take a "
             "smaller restitution of the contacts named here.";
    case Status::cannot_assemble:
      return "The joints cannot be closed from the given positions. Correct the positions or the "
             "attachment points of the joints named here.";
    case Status::output_failed:
      return "A file could not be written: make room, or name another. Rows that are in the result "
             "are readable; 'daedal run --continue RESULT' goes on from the last one, and with "
             "--csv or --plot writes table and picture of all of them.";
  }
  return "";
}

}  // namespace daedal::simulate
