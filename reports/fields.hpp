#pragma once

#include <rootdk/reports/record.hpp>

#include <concepts>
#include <type_traits>

namespace rootdk::reports {

/// A record to read into, or a constant one to write.
template <class Record, class Type>
concept Of = std::same_as<std::remove_const_t<Record>, Type>;

// The stored fields of each record, in the order in which they are written. One list serves reading and
// writing, so that neither can forget one.

template <class Visitor, Of<TestRecord> Record>
void fields(Visitor& v, Record& r) {
  v.field("configuration", r.configuration);
  v.field("check", r.check);
  v.field("law", r.law);
  v.field("expected", r.expected);
  v.field("estimate", r.estimate);
  v.field("interval", r.interval);
  v.field("delta", r.delta);
  v.field("unit", r.unit);
  v.field("alpha", r.alpha);
  v.field("beta", r.beta);
  v.field("p", r.p);
  v.field("log10_p", r.log10_p);
  v.field("nu_planned", r.nu_planned);
  v.field("nu_used", r.nu_used);
  v.field("statistic", r.statistic);
  v.field("nu_first", r.nu_first);
  v.field("statistic_first", r.statistic_first);
  v.field("look", r.look);
  v.field("verdict", r.verdict);
  v.field("reason", r.reason);
  v.field("error_u", r.error_u);
  v.field("tolerance_u", r.tolerance_u);
  v.field("where", r.where);
  v.field("replay", r.replay);
}

template <class Visitor, Of<ControlRecord> Record>
void fields(Visitor& v, Record& r) {
  v.field("name", r.name);
  v.field("predicted", r.predicted);
  v.field("observed", r.observed);
  v.field("samples", r.samples);
  v.field("by", r.by);
}

template <class Visitor, Of<SeriesRecord> Record>
void fields(Visitor& v, Record& r) {
  v.field("name", r.name);
  v.field("x_label", r.x_label);
  v.field("y_label", r.y_label);
  v.field("x", r.x);
  v.field("y", r.y);
  v.field("low", r.low);
  v.field("high", r.high);
}

template <class Visitor, Of<ErratumRecord> Record>
void fields(Visitor& v, Record& r) {
  v.field("says", r.says);
  v.field("holds", r.holds);
}

template <class Visitor, Of<ClaimRecord> Record>
void fields(Visitor& v, Record& r) {
  v.field("id", r.id);
  v.field("statement", r.statement);
  v.field("latex", r.latex);
  v.field("source", r.source);
  v.field("erratum", r.erratum);
  v.field("premise", r.premise);
  v.field("derivation", r.derivation);
  v.field("domain", r.domain);
  v.field("method", r.method);
  v.field("verdict", r.verdict);
  v.field("reason", r.reason);
  v.field("wall_s", r.wall_s);
  v.field("samples", r.samples);
  v.field("pooled", r.pooled);
  v.field("configurations", r.configurations);
  v.field("controls", r.controls);
  v.field("minimal", r.minimal);
  v.field("series", r.series);
}

template <class Visitor, Of<LedgerRecord> Record>
void fields(Visitor& v, Record& r) {
  v.field("alpha_total", r.alpha_total);
  v.field("alpha_declared", r.alpha_declared);
  v.field("alpha_reserved", r.alpha_reserved);
  v.field("claim_slots", r.claim_slots);
  v.field("configuration_slots", r.configuration_slots);
  v.field("beta", r.beta);
}

template <class Visitor, Of<RunRecord> Record>
void fields(Visitor& v, Record& r) {
  v.field("version", r.version);
  v.field("compiler", r.compiler);
  v.field("flags", r.flags);
  v.field("seed", r.seed);
  v.field("effort", r.effort);
  v.field("alpha", r.alpha);
  v.field("subject", r.subject);
  v.field("jobs", r.jobs);
  v.field("started", r.started);
  v.field("wall_s", r.wall_s);
}

}  // namespace rootdk::reports
