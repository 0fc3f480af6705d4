#include "daedal/integrate/methods.hpp"

#include <algorithm>
#include <array>

#include "daedal/integrate/adaptive_newmark.hpp"
#include "daedal/integrate/bdf.hpp"
#include "daedal/integrate/explicit_methods.hpp"
#include "daedal/integrate/hem5.hpp"
#include "daedal/integrate/midpoint.hpp"
#include "daedal/integrate/newmark_family.hpp"
#include "daedal/integrate/rkf45.hpp"
#include "daedal/integrate/stabilised_newmark.hpp"

namespace daedal::integrate {

namespace {

using Parameters = NewmarkFamily::Parameters;
using system::ConstrainedSystem;

constexpr std::array<std::string_view, 1> kIndex3{"index-3"};
constexpr std::array<std::string_view, 2> kIndex3AndStabilised{"index-3", "ggl"};
constexpr std::array<std::string_view, 1> kNewmarkReferences{"Newmark1959"};
constexpr std::array<std::string_view, 1> kHhtReferences{"Hilber1977"};
constexpr std::array<std::string_view, 4> kAlphaReferences{"Chung1993", "Arnold2007",
                                                           "Bruels2012", "Arnold2015"};
constexpr std::array<std::string_view, 1> kMidpointReferences{"Hairer2006"};
constexpr std::array<std::string_view, 3> kFirstOrder{"ggl", "index-2", "index-1"};
constexpr std::array<std::string_view, 2> kBdfReferences{"Hindmarsh2005", "Brenan1996"};
constexpr std::array<std::string_view, 1> kIndex2{"index-2"};
constexpr std::array<std::string_view, 1> kIndex1{"index-1"};
constexpr std::array<std::string_view, 3> kHem5References{"Brasey1993", "Haddouni2013",
                                                          "Gustafsson1991"};
constexpr std::array<std::string_view, 2> kRkf45References{"Fehlberg1969", "Gustafsson1991"};

/// An explicit method in either kind of steps.
template <class Step>
std::unique_ptr<FixedStepIntegrator> fixed(const ConstrainedSystem& s, const Options& o) {
  return std::make_unique<FixedExplicit>(s, o, std::make_unique<Step>(s, o));
}
template <class Step>
std::unique_ptr<AdaptiveIntegrator> adaptive(const ConstrainedSystem& s, const Options& o) {
  return std::make_unique<AdaptiveExplicit>(s, o, std::make_unique<Step>(s, o));
}

const std::array<Method, 7> kMethods{{
    {"newmark", "trapezoidal rule for mechanics; beta, gamma", 2,
     "implicit, no damping at gamma = 1/2 (order 1 otherwise); errors of the multipliers grow over "
     "long runs",
     kIndex3, kNewmarkReferences,
     [](const ConstrainedSystem& s, const Options& o) -> std::unique_ptr<FixedStepIntegrator> {
       return std::make_unique<NewmarkFamily>(s, o, Parameters::newmark(o.beta, o.gamma));
     }},
    {"hht", "Hilber-Hughes-Taylor; alpha in [-1/3, 0]", 2,
     "implicit, damps high frequencies", kIndex3, kHhtReferences,
     [](const ConstrainedSystem& s, const Options& o) -> std::unique_ptr<FixedStepIntegrator> {
       return std::make_unique<NewmarkFamily>(s, o, Parameters::hht(o.alpha));
     }},
    {"generalized-alpha", "Chung-Hulbert on Lie groups; rho_inf in [0, 1]", 2,
     "implicit, damping of high frequencies set by rho_inf; in ggl steps chosen by the local error",
     kIndex3AndStabilised, kAlphaReferences,
     [](const ConstrainedSystem& s, const Options& o) -> std::unique_ptr<FixedStepIntegrator> {
       const Parameters p = Parameters::generalized_alpha(o.rho_inf);
       if (o.stabilised) return std::make_unique<StabilisedNewmark>(s, o, p);
       return std::make_unique<NewmarkFamily>(s, o, p);
     },
     [](const ConstrainedSystem& s, const Options& o) -> std::unique_ptr<AdaptiveIntegrator> {
       return std::make_unique<AdaptiveNewmark>(s, o, Parameters::generalized_alpha(o.rho_inf));
     }},
    {"midpoint", "implicit midpoint rule", 2,
     "implicit, no damping, energy exact for quadratic constraints in linear coordinates", kIndex3,
     kMidpointReferences,
     [](const ConstrainedSystem& s, const Options& o) -> std::unique_ptr<FixedStepIntegrator> {
       return std::make_unique<Midpoint>(s, o);
     }},
    {"hem5", "half-explicit Runge-Kutta of Brasey and Hairer; tolerance", 5,
     "explicit, velocities satisfy their constraints at every stage; step chosen by the local error",
     kIndex2, kHem5References, fixed<Hem5>, adaptive<Hem5>, true, true},
    {"rkf45", "Runge-Kutta-Fehlberg on accelerations; tolerance", 5,
     "explicit, positions and velocities drift off their constraints and are projected; step chosen "
     "by the local error",
     kIndex1, kRkf45References, fixed<Rkf45>, adaptive<Rkf45>, true, true},
    {"bdf", "backward differentiation formulas through SUNDIALS' IDA; tolerance", 5,
     "implicit, order 1 to 5 and step chosen by the local error", kFirstOrder, kBdfReferences,
     nullptr,
     [](const ConstrainedSystem& s, const Options& o) -> std::unique_ptr<AdaptiveIntegrator> {
       return std::make_unique<Bdf>(s, o);
     },
     false, true},
}};

}  // namespace

bool Method::fixed_on(std::string_view formulation) const {
  return make != nullptr && std::ranges::find(formulations, formulation) != formulations.end();
}

bool Method::adaptive_on(std::string_view formulation) const {
  return make_adaptive != nullptr && formulation != formulate::Index3::kName &&
         std::ranges::find(formulations, formulation) != formulations.end();
}

std::span<const Method> methods() { return kMethods; }

std::span<const Method> fixed_step_methods() {
  const auto first = std::ranges::find_if(kMethods, [](const Method& m) { return !m.make; });
  return std::span(kMethods).first(first - kMethods.begin());
}

const Method* find_method(std::string_view name) {
  for (const Method& method : kMethods) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

}  // namespace daedal::integrate
