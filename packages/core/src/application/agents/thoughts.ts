import { endOfJson } from '@countersign/model';

/** How models mark the beginning and the end of what they say to themselves, where their server does not take it apart. */
const MARK = new RegExp(
  [
    String.raw`<\/?(?:think|thinking|(?:seed|ant|antml):think(?:ing)?|scratchpad|thoughts?|reason|reasoning|reflection|analysis)(?:\s[^<>]{0,200})?>`,
    String.raw`\[\/?think\]`,
    String.raw`◁\/?think▷`,
    String.raw`<\|(?:START|END)_THINKING\|>`,
    String.raw`<[|｜](?:begin|end)[_▁]of[_▁](?:thought|thinking)[|｜]>`,
    // The marks of the harmony format, which is read elsewhere, have a bar on both sides.
    String.raw`<\|channel>\s{0,8}(?:thought|analysis)\b|<channel\|>`,
    // What Ollama prints, each on a line of its own.
    String.raw`(?<![^\n])(?:Thinking\.\.\.|\.\.\.done thinking\.)(?=[ \t\r]{0,8}(?:\n|$))`,
  ].join('|'),
  'gi',
);
const END = /^(?:[<[◁]\/|<\|END_|<[|｜]end|<channel|\.\.\.)/i;
/** Names that are words of documents, too: in the midst of a text they belong to it. */
const WORD = /^<\/?(?:thoughts?|reason|reasoning|reflection|analysis)\b/i;
/** Those of them that people and models use for parts of an answer: thoughts only where JSON is asked for. */
const PART = /^<\/?(?:reason|analysis)\b/i;
/** What is no mark without its end. */
const NEEDS_END = /^(?:<(?:thoughts?|reason|reasoning|reflection|analysis)\b|Thinking)/i;
/** Templates that begin the thoughts for the model leave their end alone. */
const LONE_END = /^(?:<\/(?:think|thinking|seed:think)\b|\[\/think\]|◁\/think▷|<[|｜]end|<channel\|>|\.\.\.)/i;
const FENCE = /(?:^|\n) {0,3}(`{3,}|~{3,})([^`\n]*)(?=\n|$)/g;
/** White space in front of a mark that begins a line, in characters; with more, it is code (CommonMark 0.31, 4.4). */
const MAX_INDENT = 3;
const LONGEST_NAME = 20;
const OBJECT = /\{(?=\s*["}])/g;
/** A message of the harmony format: its channel, and what it says. */
const MESSAGE = /<\|channel\|>\s*(\w+)(?:[^<]|<\|constrain\|>)*<\|message\|>/g;
const END_OF_MESSAGE = /<\|(?:end|return|start|channel|call)\|>/g;

/** Of JSON in which marks may stand: places at which it may begin, and characters that are read for all of them. */
const MAX_TRIED = 50;
const MAX_SCANNED = 1_000_000;

/**
 * A text without the thoughts in it, which are not for others. The text itself where there are none; nothing where those in
 * front of it do not end. Marks in code and within lines belong to the text, and so do those in its midst that do not end.
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
 * A text without any thoughts, before JSON is looked for in it: what a model considers is not what it answers. Marks within
 * the texts of a JSON object belong to it.
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
  // Where nothing is left, they were parts of the answer.
  return isBlank(said) ? cut((mark) => !WORD.test(mark)) : said;
}

/** Tells something of a mark outside of thoughts, from the left to the right. `from`: where the last thoughts ended */
type Test = (place: number, mark: string, from: number) => boolean;

interface Rules {
  /** Whether it belongs to the text wherever it stands. */
  readonly isQuoted: Test;
  /** Whether it begins thoughts in front of the text. */
  readonly isInFront: (mark: string) => boolean;
  /** Whether it begins thoughts in the midst of the text. */
  readonly isThought: Test;
  /** Whether thoughts need no end, and a lone end ends some even where the text speaks of marks. */
  readonly isStrict: boolean;
}

function cutThoughts(text: string, { isQuoted, isInFront, isThought, isStrict }: Rules): string {
  const kept: string[] = [];
  /** Where that begins of which it is not yet known whether it is kept. */
  let from = 0;
  /** Up to where there is nothing but white space and thoughts; `undefined` once there is more. */
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
      // Where nothing has begun, the template did.
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

/** Whether there is nothing but white space and thoughts in front of a place in its line. */
function isAtLineStart(text: string, place: number, from: number): boolean {
  const begin = Math.max(from, place - MAX_INDENT);
  const before = text.slice(begin, place);
  const line = before.lastIndexOf('\n');
  return isBlank(before.slice(line + 1)) && (line >= 0 || begin === from);
}

/** Tells of places, from the left to the right, whether they are in a block of code. */
function codeOf(text: string): (place: number, from: number) => boolean {
  const fences = text.matchAll(FENCE);
  let next = fences.next();
  let open: string | undefined;
  return (place, from) => {
    for (; next.done !== true && next.value.index < place; next = fences.next()) {
      const { index, 1: fence = '', 2: info = '' } = next.value;
      // Those in thoughts are gone.
      if (index < from) continue;
      if (open === undefined) open = fence;
      else if (fence.startsWith(open) && info.trim() === '') open = undefined;
    }
    return open !== undefined;
  };
}

/** Tells of places, from the left to the right, whether they are in a JSON object. */
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

/** The message in the channel `final`. */
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
