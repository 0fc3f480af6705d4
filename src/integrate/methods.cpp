#include "daedal/integrate/methods.hpp"

#include <array>

#include "daedal/integrate/midpoint.hpp"
#include "daedal/integrate/newmark_family.hpp"

namespace daedal::integrate {

namespace {

using Parameters = NewmarkFamily::Parameters;
using system::ConstrainedSystem;

constexpr std::array<std::string_view, 1> kIndex3{"index-3"};
constexpr std::array<std::string_view, 1> kNewmarkReferences{"Newmark1959"};
constexpr std::array<std::string_view, 1> kHhtReferences{"Hilber1977"};
constexpr std::array<std::string_view, 4> kAlphaReferences{"Chung1993", "Arnold2007",
                                                           "Bruels2012", "Arnold2015"};
constexpr std::array<std::string_view, 1> kMidpointReferences{"Hairer2006"};

const std::array<Method, 4> kMethods{{
    {"newmark", "trapezoidal rule for mechanics; beta, gamma", 2,
     "implicit, no damping at gamma = 1/2 (order 1 otherwise); errors of the multipliers grow over "
     "long runs",
     kIndex3, kNewmarkReferences,
     [](const ConstrainedSystem& s, const Options& o) -> std::unique_ptr<Integrator> {
       return std::make_unique<NewmarkFamily>(s, o, Parameters::newmark(o.beta, o.gamma));
     }},
    {"hht", "Hilber-Hughes-Taylor; alpha in [-1/3, 0]", 2,
     "implicit, damps high frequencies", kIndex3, kHhtReferences,
     [](const ConstrainedSystem& s, const Options& o) -> std::unique_ptr<Integrator> {
       return std::make_unique<NewmarkFamily>(s, o, Parameters::hht(o.alpha));
     }},
    {"generalized-alpha", "Chung-Hulbert on Lie groups; rho_inf in [0, 1]", 2,
     "implicit, damping of high frequencies set by rho_inf", kIndex3, kAlphaReferences,
     [](const ConstrainedSystem& s, const Options& o) -> std::unique_ptr<Integrator> {
       return std::make_unique<NewmarkFamily>(s, o, Parameters::generalized_alpha(o.rho_inf));
     }},
    {"midpoint", "implicit midpoint rule", 2,
     "implicit, no damping, energy exact for quadratic constraints in linear coordinates", kIndex3,
     kMidpointReferences,
     [](const ConstrainedSystem& s, const Options& o) -> std::unique_ptr<Integrator> {
       return std::make_unique<Midpoint>(s, o);
     }},
}};

}  // namespace

std::span<const Method> methods() { return kMethods; }

const Method* find_method(std::string_view name) {
  for (const Method& method : kMethods) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

}  // namespace daedal::integrate
