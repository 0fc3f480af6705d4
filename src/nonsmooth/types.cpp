#include "daedal/nonsmooth/types.hpp"

namespace daedal::nonsmooth {

std::string_view sentence(Status status) {
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::no_solution:
      return "no contact forces satisfy the law: the friction of a sliding contact is too large "
             "for "
             "rigid bodies (Painleve), or bilateral constraints contradict each other; lower the "
             "friction, or let the contact be compliant";
    case Status::not_converged:
      return "the contact forces were not found to tolerance; allow more sweeps, loosen the "
             "tolerance, or look for redundant contacts of very different masses";
  }
  return {};
}

}  // namespace daedal::nonsmooth
