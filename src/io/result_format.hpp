#pragma once

// Private to the result file's writer and reader: what the file looks like.
//
//     /                  attributes format, format_version
//     /committed_rows    uint64[1]: rows that are in all datasets
//     /summary           uint8[summary_bytes]: JSON, padded with zeros
//     /index             JSON: the layout and the names of the texts
//     /texts/<name>      UTF-8
//     /<dataset>         float64[rows] or float64[rows, components];
//                        attributes unit, description, components
//     /events            the same of what happens between rows, if there is any: the first component is
//                        the time; a kill may leave rows of NaN at its end

namespace daedal::io::format {

inline constexpr const char* kName = "daedal result";
inline constexpr int kVersion = 1;
inline constexpr const char* kCommittedRows = "committed_rows";
inline constexpr const char* kSummary = "summary";
inline constexpr const char* kIndex = "index";
inline constexpr const char* kTexts = "texts";
inline constexpr const char* kEvents = "events";

}  // namespace daedal::io::format
