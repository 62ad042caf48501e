import { anyQuestion, questions } from "./question.ts";
import { please, rule, type Intent, type Rule } from "./rule.ts";

/**
 * What a person asks the demo for, by fixed phrases in English and Chinese. Pure text matching: no
 * memory, no tools, no guessing; what no rule knows is `unknown`.
 */
const path = "[\"'`]?([^\\s\"'`:：，,]{1,200})[\"'`]?";

/** In order: the first that matches decides. */
const rules: readonly Rule[] = [
  ...questions,
  rule(
    `${please}(?:remember|note|write down|memori[sz]e|(?:keep|bear) in mind|do(?:n['’]t| not) forget|make a note(?: of)?)(?: this| that)?[:,]? +(?!to )(.+)$`,
    (m) => remember(m[1]),
  ),
  rule(`${please}(?:remember|note|do(?:n['’]t| not) forget) (to .+)$`, (m) => remember(m[1])),
  rule("^(?:请)?(?:帮我)?(?:记住|记一下|记下来?|记得)[:：,，]? *(.+)$", (m) => remember(m[1])),
  rule(`${please}(?:remind me|set (?:a|an) (?:reminder|alarm)|wake me)\\b`, () => ({
    type: "remind",
  })),
  rule("^(?:请)?提醒我", () => ({ type: "remind" })),
  rule(`${please}(?:read|show|open|cat)(?: me)?(?: the)?(?: file)? ${path}[.!]?$`, (m) => ({
    type: "read",
    path: m[1] ?? "",
  })),
  rule(`^(?:请)?(?:读取?|打开|看看)(?:文件)? *${path}$`, (m) => ({
    type: "read",
    path: m[1] ?? "",
  })),
  rule(
    `${please}(?:list|show)(?: me)?(?: all)?(?: the| my| your)? files?(?: in ${path})?[.?!]*$|^ls(?: ${path})?$`,
    (m) => ({ type: "list", path: m[1] ?? m[2] ?? "" }),
  ),
  rule("^(?:请)?(?:列出|有哪些)(?:所有)?文件[?？。]*$", () => ({ type: "list", path: "" })),
  rule(`${please}(?:write|create)(?: to)?(?: the)?(?: file)? ${path} *[:：] *(.+)$`, (m) => ({
    type: "write",
    path: m[1] ?? "",
    text: m[2] ?? "",
  })),
  rule(`^(?:请)?写入? *${path} *[:：] *(.+)$`, (m) => ({
    type: "write",
    path: m[1] ?? "",
    text: m[2] ?? "",
  })),
  rule(`${please}(?:append|add)(?: to)? ${path} *[:：] *(.+)$`, (m) => ({
    type: "append",
    path: m[1] ?? "",
    text: m[2] ?? "",
  })),
  rule(
    `${please}(?:replace|change) ["“]?(.+?)["”]? (?:with|to|by) ["“]?(.*?)["”]? in ${path}$`,
    (m) => ({ type: "replace", oldText: m[1] ?? "", newText: m[2] ?? "", path: m[3] ?? "" }),
  ),
  rule(`${please}(?:search|grep|find|look)(?: for| up)? (.+?)[?.!]*$`, (m) => ({
    type: "search",
    about: m[1] ?? "",
  })),
  rule("^(?:请)?(?:搜索|查找|找一?下?) *(.+?)[?？。]*$", (m) => ({
    type: "search",
    about: m[1] ?? "",
  })),
  rule(`${please}send (?:me )?(?:a message)?[:：]? *(.+)$`, (m) => ({
    type: "send",
    text: m[1] ?? "",
  })),
  rule(
    `${please}(?:(?:show|what is|what's|tell me)(?: me)?(?: your| the)? )?(?:session )?status[?.!]*$`,
    () => ({ type: "status" }),
  ),
  rule("^(?:会话)?状态[?？。]*$", () => ({ type: "status" })),
  rule(
    `${please}(?:be (?:quiet|silent)|stay (?:quiet|silent)|say nothing|do(?: not|n't) (?:answer|reply|say anything)|no (?:answer|reply))\\b`,
    () => ({ type: "quiet" }),
  ),
  rule("^(?:请)?(?:别说话|不要回复|不用回复|安静|保持沉默)[。!！]*$", () => ({ type: "quiet" })),
  rule(
    "^(?:hi|hello|hey|good (?:morning|evening|afternoon)|/start)\\b[^?]{0,40}$|^how are you\\b|^(?:你好|您好|嗨)",
    () => ({ type: "hello" }),
  ),
  rule("^(?:thanks|thank you|thx)\\b|^谢谢|^多谢", () => ({ type: "thanks" })),
  ...anyQuestion,
];

/** A command may stand behind a name ("Ann: …", as in groups) or a mention. */
export function readIntent(said: string): Intent {
  const text = said.trim().slice(0, 4000);
  const bare = text.replace(/^(?:@\S+\s+)+/, "");
  const unnamed = bare.replace(/^[^:\n]{1,80}: /, "").replace(/^(?:@\S+\s+)+/, "");
  return match(bare) ?? match(unnamed) ?? { type: "unknown" };
}

function match(text: string): Intent | null {
  for (const [pattern, toIntent] of rules) {
    const found = pattern.exec(text);
    const intent = found && toIntent(found);
    if (intent) return intent;
  }
  return null;
}

function remember(fact: string | undefined): Intent | null {
  const line = (fact ?? "").replace(/\s+/g, " ").trim();
  return line === "" ? null : { type: "remember", fact: line };
}
