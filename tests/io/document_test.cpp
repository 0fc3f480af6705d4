#include "daedal/io/document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/temporary_folder.hpp"

namespace daedal::io {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A node on one line, to compare whole trees.
std::string shown(const Node& node) {
  std::string text;
  switch (node.kind()) {
    case Node::Kind::null:
      return "~";
    case Node::Kind::scalar:
      return node.quoted() ? "'" + node.text() + "'" : node.text();
    case Node::Kind::sequence:
      for (const Node& element : node.elements())
        text += (text.empty() ? "" : ", ") + shown(element);
      return "[" + text + "]";
    case Node::Kind::map:
      for (const auto& entry : node.entries()) {
        text += (text.empty() ? "" : ", ") + entry.key + ": " + shown(entry.value);
      }
      return "{" + text + "}";
  }
  return text;
}

std::string refusal(const std::string& text) {
  return message_of<InputError>([&] { parse(text, "m.yaml"); });
}

constexpr const char* kModel = R"(daedal: 1
gravity: [0, 0, -9.81]
bodies:
  crank: {mass: 1.0, name: "a: b"}
  link[3]:
    mass: 2*r    # twice
simulate:
  until: 2
  note: |
    two
    lines
)";

TEST(Document, KeepsScalarsAsTextAndEverythingInOrder) {
  EXPECT_EQ(shown(parse(kModel, "m.yaml")),
            "{daedal: 1, gravity: [0, 0, -9.81], bodies: {crank: {mass: 1.0, name: 'a: b'}, "
            "link[3]: {mass: 2*r}}, simulate: {until: 2, note: 'two\nlines\n'}}");
}

TEST(Document, KnowsThePositionOfEveryKeyAndValue) {
  const Node root = parse(kModel, "m.yaml");
  const Node& bodies = *root.find("bodies");
  EXPECT_EQ(bodies.entries()[1].position().to_string(), "m.yaml:5:3");
  EXPECT_EQ(bodies.find("link[3]")->find("mass")->position().to_string(), "m.yaml:6:11");
  EXPECT_EQ(root.find("gravity")->elements()[2].position().to_string(), "m.yaml:2:17");
  EXPECT_EQ(root.find("nothing"), nullptr);
  EXPECT_EQ(root.find("daedal")->find("x"), nullptr);
}

TEST(Document, ReadsUnixAndWindowsLineEndsAndAByteOrderMark) {
  EXPECT_EQ(shown(parse("a: 1\r\nb: [2,\r\n  3]\r\n", "m.yaml")), "{a: 1, b: [2, 3]}");
  EXPECT_EQ(shown(parse("\xEF\xBB\xBF"
                        "a: 1\n",
                        "m.yaml")),
            "{a: 1}");
}

TEST(Document, NullIsNothingButNotAText) {
  EXPECT_EQ(shown(parse("{a: ~, b: null, c: , d: '~', e: ''}", "m.yaml")),
            "{a: ~, b: ~, c: ~, d: '~', e: ''}");
}

TEST(Document, RefusesFilesThatCannotBeRead) {
  const TemporaryFolder folder;
  const auto message = [](const std::filesystem::path& path) {
    return message_of<InputError>([&] { load(path); });
  };
  EXPECT_EQ(message(folder / "none.yaml"),
            (folder / "none.yaml").string() + ": no such file; check the path of the model file");
  EXPECT_THAT(message(folder.path()), HasSubstr("this is a folder; give the path of a model file"));
  EXPECT_THAT(message(folder.write("empty.yaml", "")), HasSubstr("file is empty; a map"));
  EXPECT_THAT(message(folder.write("a.yaml", "a: 1") / "b"), HasSubstr("Not a directory"));
  const auto secret = folder.write("secret.yaml", "a: 1\n");
  ::chmod(secret.c_str(), 0);
  ::chmod(folder.path().c_str(), 0755);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::seteuid(65534) != 0) ::_exit(3);
    ::_exit(message(secret).find("cannot read the model file: Permission denied; check") ==
            std::string::npos);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Document, RefusesLargeFilesWithoutReadingThem) {
  const TemporaryFolder folder;
  const auto large = folder.write("large.yaml", "");
  ASSERT_EQ(::truncate(large.c_str(), off_t{1} << 40), 0);  // a hole of a terabyte
  EXPECT_THAT(message_of<InputError>([&] { load(large); }),
              HasSubstr("1048576.0 MB, more than the 16 MB allowed for a model file"));
  EXPECT_THAT(message_of<InputError>([&] { load("/dev/zero"); }),
              HasSubstr("endless or growing, more than the 16 MB allowed"));
}

TEST(Document, RefusesBinaryContent) {
  EXPECT_EQ(refusal(std::string("a: 1\nb: \0", 9)),
            "m.yaml:2:4: control character 0x00 found; this seems to be a binary file, a model is "
            "text");
  EXPECT_THAT(refusal("a: \x1b[0m"), HasSubstr("m.yaml:1:4: control character 0x1B"));
  EXPECT_THAT(refusal("a: \xC3\xA4 \xE4\n"), HasSubstr("m.yaml:1:6: byte 0xE4 is not UTF-8"));
  EXPECT_THAT(refusal("a: \xC0\xAF"), HasSubstr("byte 0xC0 is not UTF-8"));      // overlong
  EXPECT_THAT(refusal("a: \xED\xA0\x80"), HasSubstr("byte 0xED is not UTF-8"));  // surrogate
  EXPECT_THAT(refusal("a: \xF4\x90\x80\x80"), HasSubstr("byte 0xF4 is not UTF-8"));
  EXPECT_THAT(refusal("\xFF\xFE"
                      "a\0"),
              HasSubstr("file is UTF-16; save it as UTF-8"));
  EXPECT_THAT(refusal("a: 1\rb: 2\r"), HasSubstr("m.yaml:1:5: carriage return without line feed"));
}

TEST(Document, RefusesTabsAsIndentation) {
  EXPECT_EQ(refusal("a:\n\tb: 1\n"), "m.yaml:2:1: line is indented with a tab; indent with spaces");
  EXPECT_THAT(refusal("a:\n  \tb: 1\n"), HasSubstr("m.yaml:2:3: line is indented with a tab"));
  EXPECT_EQ(shown(parse("a:\t1\t# fine\n", "m.yaml")), "{a: 1}");
}

TEST(Document, RefusesDuplicateKeysAtAnyDepth) {
  EXPECT_EQ(refusal("bodies:\n  crank:\n    mass: 1\n    'mass': 2\n"),
            "m.yaml:4:5: key 'mass' is given twice, first on line 3; remove one of them");
  EXPECT_THAT(refusal("a: [{b: 1, b: 1}]"), StartsWith("m.yaml:1:12: key 'b' is given twice"));
}

TEST(Document, RefusesAnchorsAliasesTagsMergeKeysAndDirectives) {
  EXPECT_THAT(refusal("a: &x [1]\nb: *x\n"),
              StartsWith("m.yaml:1:4: anchors (&name) and aliases (*name) are not allowed"));
  EXPECT_THAT(refusal("a: *x\n"), StartsWith("m.yaml:1:4: '*' starts an alias"));
  EXPECT_EQ(refusal("a: !t 1\n"),
            "m.yaml:1:4: tag '!t' is not allowed; remove it: the key decides how a value is read");
  EXPECT_THAT(refusal("a: !!python/object {}\n"), HasSubstr("is not allowed"));
  EXPECT_EQ(refusal("<<: {a: 1}\n"),
            "m.yaml:1:1: merge keys (<<) are not allowed; write the keys out");
  EXPECT_EQ(refusal("%TAG ! x\n---\na: 1\n"),
            "m.yaml:1:1: directives (%...) are not allowed; remove it");
}

TEST(Document, RefusesKeysThatAreNoNames) {
  EXPECT_EQ(
      refusal("? [a]\n: b\n"),
      "m.yaml:1:3: a key must be plain text, not a list; give a name before the colon, or close "
      "the bracket");
  EXPECT_THAT(refusal("? {a: 1}\n: b\n"), HasSubstr("not a map"));
  EXPECT_THAT(refusal(": x\n"), HasSubstr("not nothing"));
}

TEST(Document, RefusesASecondDocumentAndTextBehindTheFirst) {
  EXPECT_THAT(refusal("a: 1\n---\nb: 2\n"),
              StartsWith("m.yaml:2:1: text after the end of the doc"));
  EXPECT_THAT(refusal("- a\nb: 1\n"), StartsWith("m.yaml:2:1: text after the end of the document"));
  EXPECT_EQ(shown(parse("---\na: 1\n...\n", "m.yaml")), "{a: 1}");
}

TEST(Document, RefusesEmptyDocuments) {
  for (const char* text : {"", "\n\n", "# nothing\n", "---\n", "~\n"}) {
    EXPECT_EQ(refusal(text), "m.yaml: file is empty; a map of keys is expected");
  }
}

TEST(Document, RefusesDeepNestingWithoutOverflow) {
  const auto nested = [](int depth) {
    return "a: " + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "\n";
  };
  EXPECT_EQ(parse(nested(64), "m.yaml").size(), 1u);
  EXPECT_THAT(refusal(nested(65)),
              StartsWith("m.yaml:1:67: lists and maps are nested more than 64"));
  EXPECT_THAT(refusal(nested(1 << 20)), HasSubstr("nested more than 64 levels deep"));
  EXPECT_THAT(refusal(std::string(1 << 20, '{')), HasSubstr("m.yaml:1:1: a key must be"));
  std::string block;
  for (int i = 0; i < 100; ++i) block += std::string(i, ' ') + "a:\n";
  EXPECT_THAT(refusal(block + std::string(100, ' ') + "b: 1"), HasSubstr("nested more than 64"));
}

TEST(Document, TurnsSyntaxErrorsIntoSentences) {
  EXPECT_THAT(refusal("a:\n  b: 1\n c: 2\n"),
              StartsWith("m.yaml:3:2: this does not fit the map it stands in; indent all keys"));
  EXPECT_THAT(refusal("a: 1\n b: 2\n"), StartsWith("m.yaml:2:3: ':' cannot stand here"));
  EXPECT_THAT(refusal("a: b: c\n"), StartsWith("m.yaml:1:5: ':' cannot stand here"));
  EXPECT_EQ(refusal("x: 1\na: {b: 1\nc: 2\n"),
            "m.yaml:2:4: '{' is never closed, or a ',' is missing between its keys; close it with "
            "'}'");
  EXPECT_THAT(refusal("a: [1, 2\nb: 3\n"), StartsWith("m.yaml:1:4: '[' is never closed"));
  EXPECT_THAT(refusal("a: ]\n"), StartsWith("m.yaml:1:4: ']' or '}' without its opening bracket"));
  EXPECT_THAT(refusal("a: - 1\n"), StartsWith("m.yaml:1:4: '- ' cannot start a list here"));
  EXPECT_THAT(refusal("a: ? b\n"), StartsWith("m.yaml:1:4: a key cannot stand here"));
  EXPECT_THAT(refusal("a: @x\n"), StartsWith("m.yaml:1:4: this character cannot start a value"));
  EXPECT_THAT(refusal("a: |1x\n  y\n"), StartsWith("m.yaml:1:6: only '+', '-'"));
  EXPECT_THAT(refusal("a: \"\\q\"\n"), HasSubstr("unknown escape character: q in a quoted text"));
  EXPECT_THAT(refusal("a: \"\\xzz\"\n"), HasSubstr("needs hexadecimal digits"));
  EXPECT_THAT(refusal("- a\n  b\n - c: 1\n"), StartsWith("m.yaml:3:"));
}

TEST(Document, RefusesAQuoteThatIsNeverClosed) {
  // yaml-cpp 0.7 takes the rest of the file for the text.
  EXPECT_EQ(refusal("a: \"x\nb: 1\n"),
            "m.yaml:1:4: a quoted text is never closed; add the missing quote");
  EXPECT_THAT(refusal("a: 1\nb: 'x"), StartsWith("m.yaml:2:4: a quoted text is never closed"));
}

TEST(Override, ReplacesAndAddsKeys) {
  const Node root = parse(kModel, "m.yaml");
  const auto changed = [&](std::string_view assignment, std::string_view key) {
    return shown(*with_override(root, assignment).find(key));
  };
  EXPECT_EQ(changed("simulate.until=1e-4", "simulate"), "{until: 1e-4, note: 'two\nlines\n'}");
  EXPECT_EQ(changed("parameters.N=40", "parameters"), "{N: 40}");
  EXPECT_EQ(changed("a.b.c = x # y", "a"), "{b: {c: x # y}}");
  EXPECT_EQ(changed("bodies.link[3].mass=2", "bodies"),
            "{crank: {mass: 1.0, name: 'a: b'}, link[3]: {mass: 2}}");
  EXPECT_EQ(changed("gravity.2=0", "gravity"), "[0, 0, 0]");
  EXPECT_EQ(changed("gravity=[0, -9.81]", "gravity"), "[0, -9.81]");
  EXPECT_EQ(changed("bodies={a: {mass: 1}}", "bodies"), "{a: {mass: 1}}");
  EXPECT_EQ(changed("title='a=b'", "title"), "'a=b'");
  EXPECT_EQ(shown(*root.find("gravity")), "[0, 0, -9.81]");  // the original stays
}

TEST(Override, OfNothingRemovesTheKey) {
  const Node root = parse(kModel, "m.yaml");
  for (const char* value : {"~", "null"}) {
    const Node changed = with_override(root, std::string("simulate.until=") + value);
    EXPECT_EQ(shown(*changed.find("simulate")), "{note: 'two\nlines\n'}");
  }
  EXPECT_EQ(with_override(root, "gravity=~").find("gravity"), nullptr);
  const auto refused = [&](const char* assignment) {
    return message_of<InputError>([&] { with_override(root, assignment); });
  };
  EXPECT_EQ(refused("simulate.stepp=~"),
            "--set simulate.stepp=~: there is no 'simulate.stepp' to unset");
  EXPECT_EQ(refused("a.b.c=~"), "--set a.b.c=~: there is no 'a' to unset");
  EXPECT_EQ(refused("gravity.1=~"),
            "--set gravity.1=~: an element of the list 'gravity' cannot be unset; give the whole "
            "list");
}

TEST(Override, FindsKeysThatContainDots) {
  const Node root = parse("bodies: {arm.left: {mass: 1}, arm: {mass: 2}}", "m.yaml");
  EXPECT_EQ(shown(with_override(root, "bodies.arm.left.mass=3")),
            "{bodies: {arm.left: {mass: 3}, arm: {mass: 2}}}");
}

TEST(Override, GivesNewNodesThePositionOfTheOption) {
  const Node root = with_override(parse(kModel, "m.yaml"), "simulate.step.a=[1, 2]");
  const Node& step = *root.find("simulate")->find("step");
  const std::string option = "--set simulate.step.a=[1, 2]";
  EXPECT_EQ(step.position().to_string(), option);
  EXPECT_EQ(step.find("a")->elements()[1].position().to_string(), option);
  EXPECT_EQ(root.find("simulate")->entries()[2].position().to_string(), option);
  EXPECT_EQ(root.find("simulate")->position().to_string(), "m.yaml:8:3");
}

TEST(Override, RefusesWhatItCannotPlace) {
  const Node root = parse(kModel, "m.yaml");
  const auto message = [&](const std::string& assignment) {
    return message_of<InputError>([&] { with_override(root, assignment); });
  };
  EXPECT_EQ(message("simulate.step"),
            "--set simulate.step: no '=' found; write it as 'simulate.step=1e-4'");
  EXPECT_THAT(message("=3"), HasSubstr("--set =3: no key before '='"));
  EXPECT_THAT(message("a="), HasSubstr("--set a=: no value after '='"));
  EXPECT_THAT(message("a..b=1"), HasSubstr("path has an empty part"));
  EXPECT_THAT(message("a.=1"), HasSubstr("path has an empty part"));
  EXPECT_EQ(
      message("gravity.3=1"),
      "--set gravity.3=1: 'gravity' is a list of 3 elements; use an index from 0 to 2 instead "
      "of '3'");
  EXPECT_THAT(message("gravity.x=1"), HasSubstr("instead of 'x'"));
  EXPECT_EQ(message("simulate.until.x=1"),
            "--set simulate.until.x=1: 'simulate.until' is the value '2', not a map; it has no key "
            "'x'");
  EXPECT_THAT(message("gravity=[0, 1"),
              HasSubstr("--set gravity=[0, 1: a key must be plain text, not a list"));
  EXPECT_THAT(message("a={b: 1, b: 2}"), HasSubstr("key 'b' is given twice; remove one"));
  EXPECT_THAT(message("a=\xFF"), HasSubstr("is not UTF-8"));
  std::string deep = "a";
  for (int i = 0; i < 70; ++i) deep += ".a";
  EXPECT_THAT(message(deep + "=1"), HasSubstr("path is more than 64 levels deep"));
}

}  // namespace
}  // namespace daedal::io
