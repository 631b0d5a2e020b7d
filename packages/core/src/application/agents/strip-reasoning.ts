import { findJsonEnd } from '@countersign/model';

/**
 * Matches the start and end tags of a language model's reasoning, for servers that do not separate it from the
 * response.
 */
const REASONING_TAG = new RegExp(
  [
    String.raw`<\/?(?:think|thinking|(?:seed|ant|antml):think(?:ing)?|scratchpad|thoughts?|reason|reasoning|reflection|analysis)(?:\s[^<>]{0,200})?>`,
    String.raw`\[\/?think\]`,
    String.raw`◁\/?think▷`,
    String.raw`<\|(?:START|END)_THINKING\|>`,
    String.raw`<[|｜](?:begin|end)[_▁]of[_▁](?:thought|thinking)[|｜]>`,
    // The tags of the harmony format, which `extractFinalMessage` reads, have a bar on both sides.
    String.raw`<\|channel>\s{0,8}(?:thought|analysis)\b|<channel\|>`,
    // Tags that Ollama prints, each on its own line.
    String.raw`(?<![^\n])(?:Thinking\.\.\.|\.\.\.done thinking\.)(?=[ \t\r]{0,8}(?:\n|$))`,
  ].join('|'),
  'gi',
);
const END_TAG = /^(?:[<[◁]\/|<\|END_|<[|｜]end|<channel|\.\.\.)/i;
/** Matches tags that also occur in documents: within a text, they belong to the text. */
const WORD_TAG = /^<\/?(?:thoughts?|reason|reasoning|reflection|analysis)\b/i;
/** Matches tags that are also used for parts of a response: they delimit reasoning only if JSON is expected. */
const AMBIGUOUS_TAG = /^<\/?(?:reason|analysis)\b/i;
/** Matches start tags that are recognized only with an end tag. */
const REQUIRES_END_TAG = /^(?:<(?:thoughts?|reason|reasoning|reflection|analysis)\b|Thinking)/i;
/** Matches end tags that may occur without a start tag, because some prompt templates contain the start tag. */
const LONE_END_TAG = /^(?:<\/(?:think|thinking|seed:think)\b|\[\/think\]|◁\/think▷|<[|｜]end|<channel\|>|\.\.\.)/i;
const FENCE = /(?:^|\n) {0,3}(`{3,}|~{3,})([^`\n]*)(?=\n|$)/g;
/**
 * Maximum white space before a tag at the start of a line, in characters; a line with more is code (CommonMark 0.31,
 * 4.4).
 */
const MAX_INDENT = 3;
const MAX_TAG_CHARACTERS = 20;
const OBJECT_START = /\{(?=\s*["}])/g;
/** Message of the harmony format: its channel and content. */
const HARMONY_MESSAGE = /<\|channel\|>\s*(\w+)(?:[^<]|<\|constrain\|>)*<\|message\|>/g;
const HARMONY_MESSAGE_END = /<\|(?:end|return|start|channel|call)\|>/g;

/**
 * Maximum number of possible JSON starts that are tried when JSON may contain tags, and of characters read for all of
 * them.
 */
const MAX_CANDIDATES = 50;
const MAX_SCANNED_CHARACTERS = 1_000_000;

/**
 * Removes reasoning from a text. Returns the text unchanged if it has none, and an empty text if leading reasoning has
 * no end. Tags in code or within lines belong to the text, as do unclosed tags in the middle of it.
 */
export function stripReasoning(text: string): string {
  if (isHarmony(text)) return extractFinalMessage(text);
  const isInCode = createCodeTest(text);
  return removeReasoning(text, {
    isQuoted: (position, tag, from) => isInCode(position, from) || text[position - 1] === '`',
    startsLeadingReasoning: (tag) => !AMBIGUOUS_TAG.test(tag),
    startsReasoning: (position, tag, from) => !WORD_TAG.test(tag) && isAtLineStart(text, position, from),
    isStrict: false,
  });
}

/**
 * Removes all reasoning from a text before it is searched for JSON, because JSON in reasoning is not the response. Tags
 * within strings of a JSON object belong to the object.
 */
export function stripReasoningAroundJson(text: string): string {
  if (isHarmony(text)) return extractFinalMessage(text);
  const strip = (isReasoningTag: (tag: string) => boolean): string => {
    const isInObject = createJsonObjectTest(text);
    return removeReasoning(text, {
      isQuoted: (position, tag, from) =>
        isInObject(position, from) || (text[position - 1] === '`' && text[position + tag.length] === '`'),
      startsLeadingReasoning: isReasoningTag,
      startsReasoning: (_, tag) => isReasoningTag(tag),
      isStrict: true,
    });
  };
  const stripped = strip(() => true);
  // If nothing remains, the tags were parts of the response.
  return isBlank(stripped) ? strip((tag) => !WORD_TAG.test(tag)) : stripped;
}

/** Test of a tag outside of reasoning, called from left to right. `from` is the end of the previous reasoning. */
type TagPredicate = (position: number, tag: string, from: number) => boolean;

interface StrippingRules {
  /** Whether the tag belongs to the text in any position. */
  readonly isQuoted: TagPredicate;
  /** Whether the tag starts reasoning before the text. */
  readonly startsLeadingReasoning: (tag: string) => boolean;
  /** Whether the tag starts reasoning in the middle of the text. */
  readonly startsReasoning: TagPredicate;
  /** Whether reasoning needs no end tag, and a lone end tag ends reasoning even in a text that mentions tags. */
  readonly isStrict: boolean;
}

function removeReasoning(
  text: string,
  { isQuoted, startsLeadingReasoning, startsReasoning, isStrict }: StrippingRules,
): string {
  const keptParts: string[] = [];
  /** Start of the part that is not yet kept or removed. */
  let from = 0;
  /** End of the leading part with only white space and reasoning; `undefined` after other text. */
  let blankUntil: number | undefined = 0;
  let openStart: number | undefined;
  let mentionsTags = false;
  for (const { index, 0: tag } of text.matchAll(REASONING_TAG)) {
    const end = index + tag.length;
    const isEnd = END_TAG.test(tag);
    if (openStart !== undefined) {
      if (!isEnd) continue;
      keptParts.push(text.slice(from, openStart));
      from = end;
      if (blankUntil !== undefined) blankUntil = end;
      openStart = undefined;
      continue;
    }
    if (blankUntil !== undefined) blankUntil = isBlank(text.slice(blankUntil, index)) ? index : undefined;
    if (!isEnd && blankUntil !== undefined && startsLeadingReasoning(tag)) openStart = index;
    else if (isQuoted(index, tag, from)) mentionsTags = true;
    else if (!isEnd && startsReasoning(index, tag, from)) openStart = index;
    else if (isEnd && LONE_END_TAG.test(tag) && (isStrict || !mentionsTags)) {
      // The start tag is missing because the prompt template contained it.
      keptParts.length = 0;
      from = end;
      blankUntil = end;
    } else mentionsTags = true;
    if (openStart === undefined && from !== end) blankUntil = undefined;
  }
  const isUnterminated =
    openStart !== undefined && REQUIRES_END_TAG.test(text.slice(openStart, openStart + MAX_TAG_CHARACTERS));
  if (openStart !== undefined && !isUnterminated && (isStrict || blankUntil !== undefined))
    return keptParts.join('') + text.slice(from, openStart);
  if (from === 0) return text;
  const stripped = keptParts.join('') + text.slice(from);
  return isBlank(keptParts.join('')) ? stripped.trimStart() : stripped;
}

function isBlank(text: string): boolean {
  return text.replaceAll('\ufeff', '').trim() === '';
}

/** Returns whether only white space and reasoning precede an index in its line. */
function isAtLineStart(text: string, position: number, from: number): boolean {
  const precedingText = text.slice(Math.max(from, position - MAX_INDENT - 1), position);
  const lineBreakIndex = precedingText.lastIndexOf('\n');
  return (
    isBlank(precedingText.slice(lineBreakIndex + 1)) && (lineBreakIndex >= 0 || precedingText.length <= MAX_INDENT)
  );
}

/** Returns a test for whether an index is in a code block. Call it from left to right. */
function createCodeTest(text: string): (position: number, from: number) => boolean {
  const fences = text.matchAll(FENCE);
  let next = fences.next();
  let openFence: string | undefined;
  return (position, from) => {
    for (; next.done !== true && next.value.index < position; next = fences.next()) {
      const { index, 1: fence = '', 2: info = '' } = next.value;
      // Fences in removed reasoning are ignored.
      if (index < from) continue;
      if (openFence === undefined) openFence = fence;
      else if (fence.startsWith(openFence) && info.trim() === '') openFence = undefined;
    }
    return openFence !== undefined;
  };
}

/** Returns a test for whether an index is in a JSON object. Call it from left to right. */
function createJsonObjectTest(text: string): (position: number, from: number) => boolean {
  let next = 0;
  let objectEnd = 0;
  let candidateCount = 0;
  let scannedCharacters = 0;
  return (position, from) => {
    for (
      next = Math.max(next, from);
      next <= position && candidateCount < MAX_CANDIDATES && scannedCharacters < MAX_SCANNED_CHARACTERS;
    ) {
      OBJECT_START.lastIndex = next;
      next = OBJECT_START.exec(text)?.index ?? text.length;
      if (next > position) break;
      candidateCount += 1;
      const end = findJsonEnd(text, next);
      scannedCharacters += (end ?? text.length) - next;
      if (end !== undefined && isJson(text.slice(next, end))) next = objectEnd = end;
      else next += 1;
    }
    return position < objectEnd;
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isHarmony(text: string): boolean {
  return /^[\s\ufeff]*(?:<\|start\|>assistant)?<\|channel\|>/.test(text);
}

/** Returns the message in the channel `final`. */
function extractFinalMessage(text: string): string {
  for (let offset = 0; ;) {
    HARMONY_MESSAGE.lastIndex = offset;
    const message = HARMONY_MESSAGE.exec(text);
    if (message === null) return '';
    HARMONY_MESSAGE_END.lastIndex = HARMONY_MESSAGE.lastIndex;
    const begin = HARMONY_MESSAGE.lastIndex;
    const end = HARMONY_MESSAGE_END.exec(text)?.index ?? text.length;
    if (message[1] === 'final') return text.slice(begin, end);
    offset = end;
  }
}
