import { endOfJson } from '@countersign/model';

/**
 * Matches the start and end marks of a language model's thoughts, for servers that do not separate them from the
 * response.
 */
const MARK = new RegExp(
  [
    String.raw`<\/?(?:think|thinking|(?:seed|ant|antml):think(?:ing)?|scratchpad|thoughts?|reason|reasoning|reflection|analysis)(?:\s[^<>]{0,200})?>`,
    String.raw`\[\/?think\]`,
    String.raw`◁\/?think▷`,
    String.raw`<\|(?:START|END)_THINKING\|>`,
    String.raw`<[|｜](?:begin|end)[_▁]of[_▁](?:thought|thinking)[|｜]>`,
    // The marks of the harmony format, which is read elsewhere, have a bar on both sides.
    String.raw`<\|channel>\s{0,8}(?:thought|analysis)\b|<channel\|>`,
    // Marks that Ollama prints, each on its own line.
    String.raw`(?<![^\n])(?:Thinking\.\.\.|\.\.\.done thinking\.)(?=[ \t\r]{0,8}(?:\n|$))`,
  ].join('|'),
  'gi',
);
const END = /^(?:[<[◁]\/|<\|END_|<[|｜]end|<channel|\.\.\.)/i;
/** Names that also occur as tags in documents: within a text they belong to the text. */
const WORD = /^<\/?(?:thoughts?|reason|reasoning|reflection|analysis)\b/i;
/** Names that are also used for parts of a response: they mark thoughts only if JSON is expected. */
const PART = /^<\/?(?:reason|analysis)\b/i;
/** Matches start marks that count only with an end mark. */
const NEEDS_END = /^(?:<(?:thoughts?|reason|reasoning|reflection|analysis)\b|Thinking)/i;
/** Matches end marks that may occur alone, because some templates emit the start mark themselves. */
const LONE_END = /^(?:<\/(?:think|thinking|seed:think)\b|\[\/think\]|◁\/think▷|<[|｜]end|<channel\|>|\.\.\.)/i;
const FENCE = /(?:^|\n) {0,3}(`{3,}|~{3,})([^`\n]*)(?=\n|$)/g;
/**
 * Maximum white space before a mark at the start of a line, in characters; with more it is code (CommonMark 0.31, 4.4).
 */
const MAX_INDENT = 3;
const LONGEST_NAME = 20;
const OBJECT = /\{(?=\s*["}])/g;
/** Message of the harmony format: its channel and content. */
const MESSAGE = /<\|channel\|>\s*(\w+)(?:[^<]|<\|constrain\|>)*<\|message\|>/g;
const END_OF_MESSAGE = /<\|(?:end|return|start|channel|call)\|>/g;

/**
 * Maximum number of possible JSON starts that are tried when JSON may contain marks, and of characters read for all of
 * them.
 */
const MAX_TRIED = 50;
const MAX_SCANNED = 1_000_000;

/**
 * Removes thoughts from a text. Returns the text unchanged if it has none, and nothing if leading thoughts have no end.
 * Marks in code or within lines belong to the text, as do unclosed marks in the middle of it.
 */
export function withoutThoughts(text: string): string {
  if (isHarmony(text)) return finalMessage(text);
  const isInCode = codeOf(text);
  return cutThoughts(text, {
    isQuoted: (place, mark, from) => isInCode(place, from) || text[place - 1] === '`',
    isInFront: (mark) => !PART.test(mark),
    isThought: (place, mark, from) => !WORD.test(mark) && isAtLineStart(text, place, from),
    isStrict: false,
  });
}

/**
 * Removes all thoughts from a text before JSON is searched in it, because JSON in thoughts is not the response. Marks
 * within strings of a JSON object belong to the object.
 */
export function withoutThoughtsAroundJson(text: string): string {
  if (isHarmony(text)) return finalMessage(text);
  const cut = (isThought: (mark: string) => boolean): string => {
    const isInObject = objectsOf(text);
    return cutThoughts(text, {
      isQuoted: (place, mark, from) =>
        isInObject(place, from) || (text[place - 1] === '`' && text[place + mark.length] === '`'),
      isInFront: isThought,
      isThought: (_, mark) => isThought(mark),
      isStrict: true,
    });
  };
  const said = cut(() => true);
  // If nothing remains, the tags were parts of the response.
  return isBlank(said) ? cut((mark) => !WORD.test(mark)) : said;
}

/** Test of a mark outside of thoughts, called from left to right. `from` is the end of the previous thoughts. */
type Test = (place: number, mark: string, from: number) => boolean;

interface Rules {
  /** Whether the mark belongs to the text, wherever it occurs. */
  readonly isQuoted: Test;
  /** Whether the mark starts thoughts before the text. */
  readonly isInFront: (mark: string) => boolean;
  /** Whether the mark starts thoughts in the middle of the text. */
  readonly isThought: Test;
  /** Whether thoughts need no end mark, and a lone end mark ends thoughts even in a text that mentions marks. */
  readonly isStrict: boolean;
}

function cutThoughts(text: string, { isQuoted, isInFront, isThought, isStrict }: Rules): string {
  const kept: string[] = [];
  /** Start of the part that is not yet kept or removed. */
  let from = 0;
  /** End of the leading part with only white space and thoughts; `undefined` after other text. */
  let blankTo: number | undefined = 0;
  let open: number | undefined;
  let isAboutMarks = false;
  for (const { index, 0: mark } of text.matchAll(MARK)) {
    const end = index + mark.length;
    const isEnd = END.test(mark);
    if (open !== undefined) {
      if (!isEnd) continue;
      kept.push(text.slice(from, open));
      from = end;
      if (blankTo !== undefined) blankTo = end;
      open = undefined;
      continue;
    }
    if (blankTo !== undefined) blankTo = isBlank(text.slice(blankTo, index)) ? index : undefined;
    if (!isEnd && blankTo !== undefined && isInFront(mark)) open = index;
    else if (isQuoted(index, mark, from)) isAboutMarks = true;
    else if (!isEnd && isThought(index, mark, from)) open = index;
    else if (isEnd && LONE_END.test(mark) && (isStrict || !isAboutMarks)) {
      // Without a start mark, the template started the thoughts.
      kept.length = 0;
      from = end;
      blankTo = end;
    } else isAboutMarks = true;
    if (open === undefined && from !== end) blankTo = undefined;
  }
  const isWhole = open !== undefined && NEEDS_END.test(text.slice(open, open + LONGEST_NAME));
  if (open !== undefined && !isWhole && (isStrict || blankTo !== undefined))
    return kept.join('') + text.slice(from, open);
  if (from === 0) return text;
  const said = kept.join('') + text.slice(from);
  return isBlank(kept.join('')) ? said.trimStart() : said;
}

function isBlank(text: string): boolean {
  return text.replaceAll('\ufeff', '').trim() === '';
}

/** Returns whether only white space and thoughts precede an index in its line. */
function isAtLineStart(text: string, place: number, from: number): boolean {
  const begin = Math.max(from, place - MAX_INDENT);
  const before = text.slice(begin, place);
  const line = before.lastIndexOf('\n');
  return isBlank(before.slice(line + 1)) && (line >= 0 || begin === from);
}

/** Returns a test for whether an index is in a code block. Call it from left to right. */
function codeOf(text: string): (place: number, from: number) => boolean {
  const fences = text.matchAll(FENCE);
  let next = fences.next();
  let open: string | undefined;
  return (place, from) => {
    for (; next.done !== true && next.value.index < place; next = fences.next()) {
      const { index, 1: fence = '', 2: info = '' } = next.value;
      // Fences in removed thoughts do not count.
      if (index < from) continue;
      if (open === undefined) open = fence;
      else if (fence.startsWith(open) && info.trim() === '') open = undefined;
    }
    return open !== undefined;
  };
}

/** Returns a test for whether an index is in a JSON object. Call it from left to right. */
function objectsOf(text: string): (place: number, from: number) => boolean {
  let next = 0;
  let objectEnd = 0;
  let tried = 0;
  let scanned = 0;
  return (place, from) => {
    for (next = Math.max(next, from); next <= place && tried < MAX_TRIED && scanned < MAX_SCANNED;) {
      OBJECT.lastIndex = next;
      next = OBJECT.exec(text)?.index ?? text.length;
      if (next > place) break;
      tried += 1;
      const end = endOfJson(text, next);
      scanned += (end ?? text.length) - next;
      if (end !== undefined && isJson(text.slice(next, end))) next = objectEnd = end;
      else next += 1;
    }
    return place < objectEnd;
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
function finalMessage(text: string): string {
  for (let place = 0; ;) {
    MESSAGE.lastIndex = place;
    const message = MESSAGE.exec(text);
    if (message === null) return '';
    END_OF_MESSAGE.lastIndex = MESSAGE.lastIndex;
    const begin = MESSAGE.lastIndex;
    const end = END_OF_MESSAGE.exec(text)?.index ?? text.length;
    if (message[1] === 'final') return text.slice(begin, end);
    place = end;
  }
}
