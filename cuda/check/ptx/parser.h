// PTX text as a program that machine.h can run. Of PTX it knows what nvcc and NVRTC make of the headers and of
// functions of a row: integers, floats, memory, atomics with order and scope, warp and cluster synchronization.
// Anything else is refused by name, so nothing is run as what it is not. Reference: NVIDIA's PTX ISA 8.0.

#pragma once

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "program.h"

namespace ptx {

// Parses a module. What is outside of its entries is skipped, but for the names of functions.
class Parser {
 public:
  explicit Parser(std::string text) : text_(with_ends(without_comments(std::move(text)))) { find_sources(); }

  std::map<std::string, Kernel> parse() {
    std::map<std::string, Kernel> kernels;
    const std::string entry = ".entry ";
    for (size_t at = text_.find(entry); at != std::string::npos; at = text_.find(entry, at)) {
      at += entry.size();
      Kernel kernel = parse_entry(at);
      kernel.sources = sources_;
      kernels[kernel.name] = std::move(kernel);
    }
    if (kernels.empty()) throw Problem("no kernel in this PTX");
    return kernels;
  }

 private:
  // Comments become spaces, so that lines keep their numbers.
  static std::string without_comments(std::string text) {
    for (size_t at = 0; (at = text.find("//", at)) != std::string::npos;) {
      while (at < text.size() && text[at] != '\n') text[at++] = ' ';
    }
    return text;
  }

  // A place in the source, `.loc 3 45 0, ...`, is a line of its own, without a semicolon.
  static std::string with_ends(std::string text) {
    for (size_t at = 0; (at = text.find("\t.loc\t", at)) != std::string::npos;) {
      at = std::min(text.find('\n', at), text.size());
      text.insert(at, ";");
    }
    return text;
  }

  // `.file 3 "name"`.
  void find_sources() {
    for (size_t at = 0; (at = text_.find("\t.file\t", at)) != std::string::npos; at++) {
      size_t number = std::stoul(text_.substr(at + 7, 10)), quote = text_.find('"', at);
      if (sources_.size() <= number) sources_.resize(number + 1);
      sources_[number] = text_.substr(quote + 1, text_.find('"', quote + 1) - quote - 1);
    }
  }

  // Of code that a function of the context was inlined into, the place where it was: `inlined_at 3 45 0`.
  void decode_place(const std::string& statement) {
    auto read = [&](size_t at) {
      std::istringstream words(statement.substr(at));
      words >> source_ >> source_line_;
    };
    read(std::strlen(".loc"));
    const std::string outer = "inlined_at ";
    size_t inlined = statement.find(outer);
    if (inlined != std::string::npos && source_ < sources_.size() && sources_[source_].ends_with("context.cuh")) {
      read(inlined + outer.size());
    }
  }

  u32 line_at(size_t at) const {
    u32 line = 1;
    for (size_t i = 0; i < at; i++) line += text_[i] == '\n';
    return line;
  }

  static bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  Kernel parse_entry(size_t& at) {
    kernel_ = Kernel();
    names_.clear();
    symbols_.clear();
    labels_.clear();
    branches_.clear();
    size_t open = text_.find('(', at);
    kernel_.name = trimmed(text_.substr(at, open - at));
    size_t close = text_.find(')', open);
    std::string parameters = text_.substr(open + 1, close - open - 1);
    size_t body = text_.find('{', close);
    std::string directives = text_.substr(close + 1, body - close - 1);
    // One parameter by value, as bytes: `.param .align 8 .b8 name[80]`.
    size_t bracket = parameters.find('[');
    if (bracket == std::string::npos) throw Problem(kernel_.name + ": a kernel takes one parameter by value");
    size_t name = parameters.find_last_of(" \t", bracket);
    symbols_[parameters.substr(name + 1, bracket - name - 1)] = {Operand::PARAMETER, 0};
    kernel_.parameter_bytes = static_cast<u32>(std::stoul(parameters.substr(bracket + 1)));
    size_t cluster = directives.find(".reqnctapercluster");
    if (cluster != std::string::npos) {
      kernel_.cluster = static_cast<u32>(std::stoul(directives.substr(cluster + std::strlen(".reqnctapercluster"))));
    }

    line_ = line_at(body);
    at = body + 1;
    int depth = 1;
    while (depth > 0) {
      for (; blank(text_.at(at)); at++) line_ += text_[at] == '\n';
      if (text_[at] == '{' || text_[at] == '}') {
        depth += text_[at++] == '{' ? 1 : -1;
        continue;
      }
      size_t end = text_.find_first_of(";:", at);
      // A label ends with a colon; "::" is part of a state space's name.
      while (text_.compare(end, 2, "::") == 0) end = text_.find_first_of(";:", end + 2);
      std::string statement = text_.substr(at, end - at);
      if (text_[end] == ':') {
        labels_[trimmed(statement)] = static_cast<u32>(kernel_.code.size());
      } else {
        parse_statement(statement);
      }
      for (char c : statement) line_ += c == '\n';
      at = end + 1;
    }
    for (auto& [index, label] : branches_) {
      auto found = labels_.find(label);
      if (found == labels_.end()) throw Problem(kernel_.name + ": no label " + label);
      kernel_.code[index].target = found->second;
    }
    kernel_.registers = static_cast<u32>(names_.size());
    return std::move(kernel_);
  }

  static std::string trimmed(std::string_view text) {
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return std::string(text);
  }

  [[noreturn]] void unknown(const std::string& what) const {
    throw Problem("line " + std::to_string(line_) + ": not known here: " + what);
  }

  void parse_statement(const std::string& statement) {
    if (statement[0] == '.') {
      declare(statement);
      return;
    }
    Instruction instruction;
    instruction.line = line_;
    instruction.source = source_;
    instruction.source_line = source_line_;
    std::string rest = statement;
    if (rest[0] == '@') {
      size_t space = rest.find_first_of(" \t");
      std::string guard = rest.substr(1, space - 1);
      instruction.guard_negated = guard[0] == '!';
      instruction.guard = static_cast<int>(register_of(instruction.guard_negated ? guard.substr(1) : guard));
      rest = trimmed(rest.substr(space));
    }
    size_t space = rest.find_first_of(" \t\n");
    std::string name = rest.substr(0, space);
    std::string operands = space == std::string::npos ? "" : trimmed(rest.substr(space));
    std::vector<std::string> words = split(name, '.');
    decode(instruction, words, split_operands(operands), name);
    kernel_.code.push_back(instruction);
  }

  // Registers get their number when they are first named; a scope's own names share one, for scopes do not overlap.
  void declare(const std::string& statement) {
    if (statement.starts_with(".loc\t")) {
      decode_place(statement);
      return;
    }
    bool shared = statement.starts_with(".shared");
    if (shared || statement.starts_with(".local")) {
      size_t bracket = statement.find('[');
      size_t name = statement.find_last_of(" \t", bracket);
      u32 bytes = static_cast<u32>(std::stoul(statement.substr(bracket + 1)));
      u32& used = shared ? kernel_.shared_bytes : kernel_.local_bytes;
      used = (used + 15) / 16 * 16;
      symbols_[trimmed(statement.substr(name, bracket - name))] = {shared ? Operand::VALUE : Operand::LOCAL, used};
      used += bytes;
    } else if (!statement.starts_with(".reg") && !statement.starts_with(".param") &&
               !statement.starts_with(".pragma")) {
      unknown(statement);
    }
  }

  u64 register_of(const std::string& name) { return names_.try_emplace(name, names_.size()).first->second; }

  Operand operand(const std::string& word) {
    static const std::map<std::string, Operand> special = {
        {"%tid.x", {Operand::THREAD, 0}},
        {"%ntid.x", {Operand::THREADS, 0}},
        {"%ctaid.x", {Operand::BLOCK, 0}},
        {"%nctaid.x", {Operand::BLOCKS, 0}},
        {"%clock", {Operand::CLOCK, 0}},
    };
    if (auto found = special.find(word); found != special.end()) return found->second;
    if (word[0] == '%') {
      if (word.find('.') != std::string::npos || word == "%laneid" || word == "%warpid") unknown(word);
      return {Operand::REGISTER, register_of(word)};
    }
    if (auto found = symbols_.find(word); found != symbols_.end()) return found->second;
    if (word.starts_with("0d") || word.starts_with("0f"))
      return {Operand::VALUE, std::stoull(word.substr(2), nullptr, 16)};
    if (word[0] == '-') return {Operand::VALUE, static_cast<u64>(std::stoll(word))};
    if (word[0] >= '0' && word[0] <= '9') return {Operand::VALUE, std::stoull(word, nullptr, 0)};
    // A call's own parameter: `.param .b64 param0`, one value.
    return {Operand::REGISTER, register_of(word)};
  }

  static std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts(1);
    for (char c : text) {
      if (c == at) {
        parts.emplace_back();
      } else {
        parts.back() += c;
      }
    }
    return parts;
  }

  // At commas that are not within braces, brackets or parentheses.
  static std::vector<std::string> split_operands(const std::string& text) {
    std::vector<std::string> parts;
    int depth = 0;
    std::string part;
    for (char c : text) {
      if (c == '{' || c == '[' || c == '(') depth++;
      if (c == '}' || c == ']' || c == ')') depth--;
      if (c == ',' && depth == 0) {
        parts.push_back(trimmed(part));
        part.clear();
      } else {
        part += c;
      }
    }
    if (!trimmed(part).empty()) parts.push_back(trimmed(part));
    return parts;
  }

  static bool is_type(const std::string& word) {
    return word == "pred" || (word.size() >= 2 && word.size() <= 3 && std::strchr("busf", word[0]) != nullptr &&
                              word[1] >= '1' && word[1] <= '9');
  }
  static Type type_of(const std::string& word) {
    if (word == "pred") return {'p', 1};
    return {word[0], static_cast<u32>(std::stoul(word.substr(1))) / 8};
  }

  // Instructions that have a result and operands of one type, and nothing else to them but what a modifier says.
  struct Plain {
    Op op;
    u32 sources;
  };
  static inline const std::map<std::string, Plain> PLAIN = {
      {"add", {Op::ADD, 2}},   {"sub", {Op::SUB, 2}},   {"mul", {Op::MUL, 2}}, {"mad", {Op::MAD, 3}},
      {"fma", {Op::MAD, 3}},   {"div", {Op::DIV, 2}},   {"rem", {Op::REM, 2}}, {"neg", {Op::NEG, 1}},
      {"abs", {Op::ABS, 1}},   {"min", {Op::MIN, 2}},   {"max", {Op::MAX, 2}}, {"sqrt", {Op::SQRT, 1}},
      {"rcp", {Op::RCP, 1}},
      {"and", {Op::AND, 2}},   {"or", {Op::OR, 2}},     {"xor", {Op::XOR, 2}}, {"not", {Op::NOT, 1}},
      {"shl", {Op::SHL, 2}},   {"shr", {Op::SHR, 2}},   {"bfi", {Op::BFI, 4}}, {"bfind", {Op::BFIND, 1}},
      {"brev", {Op::BREV, 1}}, {"popc", {Op::POPC, 1}}, {"clz", {Op::CLZ, 1}}, {"selp", {Op::SELP, 3}},
  };

  void decode(Instruction& i, std::vector<std::string> words, std::vector<std::string> operands,
              const std::string& name) {
    std::string op = words[0];
    words.erase(words.begin());
    // The types come last, the result's first.
    std::vector<Type> types;
    while (!words.empty() && is_type(words.back())) {
      types.insert(types.begin(), type_of(words.back()));
      words.pop_back();
    }
    if (!types.empty()) i.type = types[0];
    if (types.size() > 1) i.from = types[1];
    auto has = [&](const char* word) {
      for (auto at = words.begin(); at != words.end(); ++at) {
        if (*at == word) {
          words.erase(at);
          return true;
        }
      }
      return false;
    };
    auto plain = [&](Op what, u32 sources) {
      i.op = what;
      if (operands.size() != sources + 1) unknown(name);
      out(i, operands[0]);
      for (u32 n = 0; n < sources; n++) i.in[n] = operand(operands[n + 1]);
    };

    if (auto found = PLAIN.find(op); found != PLAIN.end()) {
      if (op == "bfind") i.shift_amount = has("shiftamt");
      has("lo");
      plain(found->second.op, found->second.sources);
      if (has("wide")) i.op = i.op == Op::MUL ? Op::MUL_WIDE : Op::MAD_WIDE;
      if (op == "mul" && has("hi")) i.op = Op::MUL_HIGH;
    } else if (op == "setp") {
      decode_setp(i, words, operands, name);
    } else if (op == "mov") {
      decode_mov(i, operands, name);
    } else if (op == "cvt") {
      decode_cvt(i, words, operands, name);
    } else if (op == "cvta") {
      // Addresses of all but shared memory are generic ones here.
      bool to = has("to");
      plain(has("shared") ? to ? Op::TO_SHARED : Op::TO_GENERIC : Op::MOV, 1);
      has("global"), has("local"), has("param");
    } else if (op == "mapa" && words.empty()) {
      plain(Op::MAPA, 2);
    } else if (op == "ld" || op == "st" || op == "atom") {
      decode_access(i, op == "ld" ? Op::LD : op == "st" ? Op::ST : Op::ATOM, words, operands, name);
    } else if (op == "shfl" && has("sync")) {
      i.shuffle = has("idx") ? Shuffle::IDX : has("bfly") ? Shuffle::BFLY : (unknown(name), Shuffle::IDX);
      size_t bar = operands[0].find('|');
      std::string valid = bar == std::string::npos ? "" : operands[0].substr(bar + 1);
      operands[0] = operands[0].substr(0, bar);
      plain(Op::SHFL, 4);
      if (!valid.empty()) out(i, valid);
    } else if (op == "vote" && has("sync") && has("ballot")) {
      plain(Op::BALLOT, 2);
    } else if (op == "bar" && has("warp") && has("sync")) {
      i.op = Op::WARP_SYNC;
      i.in[0] = operand(operands.at(0));
    } else if (op == "barrier" && operands.size() == 2 && operands[1] == "64") {
      i.op = has("sync") ? Op::SLEEP : has("arrive") ? Op::WAKE : (unknown(name), Op::WAKE);
      i.in[0] = operand(operands[0]);
    } else if ((op == "bar" || op == "barrier") && has("sync")) {
      has("aligned");
      if (operands.size() != 1 || operands[0] != "0") unknown(name);
      i.op = Op::BLOCK_SYNC;
    } else if (op == "barrier" && has("cluster")) {
      has("aligned");
      if (has("arrive")) {
        i.op = Op::CLUSTER_ARRIVE;
        i.memory = has("release") ? Memory::RELEASE : has("relaxed") ? Memory::RELAXED : Memory::RELEASE;
      } else if (has("wait")) {
        i.op = Op::CLUSTER_WAIT;
        has("acquire");
        i.memory = Memory::ACQUIRE;
      }
    } else if (op == "bra") {
      has("uni");
      i.op = Op::BRA;
      branches_.emplace_back(kernel_.code.size(), operands.at(0));
    } else if (op == "ret" || op == "exit") {
      i.op = Op::RET;
    } else if (op == "trap") {
      i.op = Op::TRAP;
    } else if (op == "nanosleep") {
      i.op = Op::NANOSLEEP;
      i.in[0] = operand(operands.at(0));
    } else if (op == "call") {
      has("uni");
      decode_call(i, operands, name);
    } else {
      unknown(name);
    }

    for (const char* rounding : {"rn", "rni", "rz", "rzi", "rm", "rmi", "rp", "rpi"}) {
      if (!has(rounding)) continue;
      i.rounds = true;
      i.round = rounding[1] == 'n'   ? Round::NEAREST
                : rounding[1] == 'z' ? Round::ZERO
                : rounding[1] == 'm' ? Round::DOWN
                                     : Round::UP;
      // Other roundings are known of what gives whole numbers alone.
      bool whole = i.op == Op::CVT && (i.type.kind != 'f' || i.type == i.from);
      if (!whole && i.round != Round::NEAREST) unknown(name);
    }
    if (!words.empty()) unknown(name);
  }

  // `_`, a result that nobody wants, is a register like others.
  void out(Instruction& i, const std::string& word) { i.out[i.outs++] = {Operand::REGISTER, register_of(word)}; }

  void decode_setp(Instruction& i, std::vector<std::string>& words, const std::vector<std::string>& operands,
                   const std::string& name) {
    static const std::map<std::string, std::pair<Compare, bool>> compares = {
        {"eq", {Compare::EQ, false}}, {"ne", {Compare::NE, false}}, {"lt", {Compare::LT, false}},
        {"le", {Compare::LE, false}}, {"gt", {Compare::GT, false}}, {"ge", {Compare::GE, false}},
        {"equ", {Compare::EQ, true}}, {"neu", {Compare::NE, true}}, {"ltu", {Compare::LT, true}},
        {"leu", {Compare::LE, true}}, {"gtu", {Compare::GT, true}}, {"geu", {Compare::GE, true}},
        {"num", {Compare::NUM, false}}, {"nan", {Compare::NUM, true}},
    };
    auto found = words.size() == 1 ? compares.find(words[0]) : compares.end();
    if (found == compares.end() || operands.size() != 3) unknown(name);
    i.op = Op::SETP;
    i.compare = found->second.first;
    i.unordered = found->second.second;
    words.clear();
    out(i, operands[0]);
    i.in[0] = operand(operands[1]);
    i.in[1] = operand(operands[2]);
  }

  // Moves, and `mov.b64 {lo, hi}, x` and back.
  void decode_mov(Instruction& i, const std::vector<std::string>& operands, const std::string& name) {
    if (operands.size() != 2) unknown(name);
    if (operands[0][0] == '{') {
      i.op = Op::UNPACK;
      for (const std::string& part : braced(operands[0])) out(i, part);
      i.in[0] = operand(operands[1]);
    } else if (operands[1][0] == '{') {
      i.op = Op::PACK;
      out(i, operands[0]);
      auto parts = braced(operands[1]);
      if (parts.size() != 2) unknown(name);
      for (size_t n = 0; n < parts.size(); n++) i.in[n] = operand(parts[n]);
    } else {
      i.op = Op::MOV;
      out(i, operands[0]);
      i.in[0] = operand(operands[1]);
    }
  }

  void decode_cvt(Instruction& i, std::vector<std::string>& words, const std::vector<std::string>& operands,
                  const std::string& name) {
    if (operands.size() != 2 || i.from == Type{'b', 8}) unknown(name);
    for (const std::string& word : words) {
      if (word == "sat" || word == "ftz") unknown(name);
    }
    i.op = Op::CVT;
    out(i, operands[0]);
    i.in[0] = operand(operands[1]);
  }

  static std::vector<std::string> braced(const std::string& text) {
    return split_operands(text.substr(1, text.size() - 2));
  }

  static inline const std::map<std::string, Memory> MEMORY = {{"relaxed", Memory::RELAXED},
                                                              {"acquire", Memory::ACQUIRE},
                                                              {"release", Memory::RELEASE},
                                                              {"acq_rel", Memory::ACQ_REL}};
  static inline const std::map<std::string, gpusched::Scope> SCOPES = {{"cta", gpusched::Scope::block},
                                                                       {"gpu", gpusched::Scope::device},
                                                                       {"sys", gpusched::Scope::system}};
  static inline const std::map<std::string, Space> SPACES = {
      {"global", Space::GLOBAL}, {"shared", Space::SHARED}, {"local", Space::LOCAL}, {"param", Space::PARAM}};

  void decode_access(Instruction& i, Op op, std::vector<std::string>& words, const std::vector<std::string>& operands,
                     const std::string& name) {
    i.op = op;
    // `.nc`, through a cache that is not coherent, is a weak load: what it reads must not change meanwhile.
    if (op == Op::ATOM) i.memory = Memory::RELAXED;
    for (const std::string& word : words) {
      if (auto memory = MEMORY.find(word); memory != MEMORY.end()) {
        i.memory = memory->second;
      } else if (auto scope = SCOPES.find(word); scope != SCOPES.end()) {
        i.scope = scope->second;
      } else if (auto space = SPACES.find(word); space != SPACES.end()) {
        i.space = space->second;
      } else if (op != Op::ATOM && (word == "v2" || word == "v4")) {
        i.vector = word == "v2" ? 2 : 4;
      } else if (op == Op::ATOM && (word == "cas" || word == "add")) {
        i.atomic = word == "cas" ? Atomic::CAS : Atomic::ADD;
      } else if (op != Op::LD || word != "nc") {
        unknown(name);
      }
    }
    words.clear();
    bool store = op == Op::ST;
    const std::string& place = operands.at(store ? 0 : 1);
    const std::string& value = operands.at(store ? 1 : 0);
    std::string inner = trimmed(place.substr(1, place.size() - 2));
    size_t plus = inner.find('+');
    i.in[0] = operand(trimmed(inner.substr(0, plus)));
    if (plus != std::string::npos) i.offset = std::stoll(inner.substr(plus + 1));
    // A call's parameter or result: one value, kept like a register.
    if (i.space == Space::PARAM && inner[0] != '%' && i.in[0].kind == Operand::REGISTER) {
      if (i.offset != 0 || i.vector != 1) unknown(name);
      i.op = Op::MOV;
      if (store) {
        i.out[i.outs++] = i.in[0];
        i.in[0] = operand(value);
      } else {
        out(i, value);
      }
      return;
    }
    std::vector<std::string> values = value[0] == '{' ? braced(value) : std::vector<std::string>{value};
    if (values.size() != i.vector) unknown(name);
    for (size_t n = 0; n < values.size(); n++) {
      if (store) {
        i.in[1 + n] = operand(values[n]);
      } else {
        i.out[i.outs++] = {Operand::REGISTER, register_of(values[n])};
      }
    }
    for (size_t n = 2; op == Op::ATOM && n < operands.size(); n++) i.in[n - 1] = operand(operands[n]);
  }

  // The device's allocator is all that is called by name: everything else is inlined.
  void decode_call(Instruction& i, const std::vector<std::string>& operands, const std::string& name) {
    auto inner = [](const std::string& text) { return trimmed(text.substr(1, text.size() - 2)); };
    if (operands.size() == 3 && operands[1] == "malloc") {
      i.op = Op::MALLOC;
      out(i, inner(operands[0]));
      i.in[0] = operand(inner(operands[2]));
    } else if (operands.size() == 2 && operands[0] == "free") {
      i.op = Op::FREE;
      i.in[0] = operand(inner(operands[1]));
    } else {
      unknown(name + " " + (operands.empty() ? "" : operands[operands.size() > 2 ? 1 : 0]));
    }
  }

  std::string text_;
  std::vector<std::string> sources_;
  u32 line_ = 0;
  u32 source_ = 0;
  u32 source_line_ = 0;
  Kernel kernel_;
  std::unordered_map<std::string, u64> names_;
  std::unordered_map<std::string, Operand> symbols_;
  std::unordered_map<std::string, u32> labels_;
  std::vector<std::pair<size_t, std::string>> branches_;
};

// The kernels of each file NAME.compute_NN.ptx of a folder.
inline std::map<std::string, std::map<std::string, Kernel>> read_folder(const std::string& folder) {
  std::map<std::string, std::map<std::string, Kernel>> modules;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    modules[file.path().filename().string()] = Parser(text.str()).parse();
  }
  if (modules.empty()) throw Problem("no PTX in " + folder);
  return modules;
}

}  // namespace ptx
