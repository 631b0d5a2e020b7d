/** How models mark the beginning and the end of what they say to themselves, where their server does not take it apart. */
const MARK =
  /<(\/?)(?:think|thinking|thought|thoughts|reasoning|reflection|seed:think)>|\[(\/?)think\]|◁(\/?)think▷|<\|(START|END)_THINKING\|>/gi;
/** Templates that begin the thoughts for the model leave their end alone. */
const LONE_END = /^(?:<\/(?:think|thinking|seed:think)>|\[\/think\]|◁\/think▷|<\|END_THINKING\|>)$/i;
const FENCE = /(?:^|\n) {0,3}(?:```|~~~)/g;
/** A message of the harmony format: its channel, and what it says. */
const MESSAGE = /<\|channel\|>\s*(\w+)(?:[^<]|<\|constrain\|>)*<\|message\|>/g;
const END_OF_MESSAGE = /<\|(?:end|return|start|channel|call)\|>/g;

/**
 * An answer without the thoughts in front of it, which are not for others. The text itself where there are none; nothing where
 * the thoughts do not end. Marks that begin in the midst of an answer, or stand in code, belong to it.
 */
export function withoutThoughts(text: string): string {
  if (/^[\s\ufeff]*(?:<\|start\|>assistant)?<\|channel\|>/.test(text)) return finalMessage(text);
  const code = codeOf(text);
  let begin = 0;
  let isOpen = false;
  for (const mark of text.matchAll(MARK)) {
    if (isEnd(mark)) {
      // Where nothing has begun, the template did.
      if (!isOpen && (!LONE_END.test(mark[0]) || code(mark.index))) break;
      begin = mark.index + mark[0].length;
      isOpen = false;
    } else if (!isOpen) {
      if (!isBlank(text, begin, mark.index)) break;
      isOpen = true;
    }
  }
  if (isOpen) return '';
  return begin === 0 ? text : text.slice(begin).trimStart();
}

function isEnd([, one, other, third, word]: RegExpExecArray): boolean {
  return one === '/' || other === '/' || third === '/' || word?.toUpperCase() === 'END';
}

function isBlank(text: string, begin: number, end: number): boolean {
  return text.slice(begin, end).replaceAll('\ufeff', '').trim() === '';
}

/** Tells of places, from the left to the right, whether they are in a block of code, or in code within a line. */
function codeOf(text: string): (place: number) => boolean {
  const fences = text.matchAll(FENCE);
  let next = fences.next();
  let isBlock = false;
  return (place) => {
    for (; next.done !== true && next.value.index < place; next = fences.next()) isBlock = !isBlock;
    return isBlock || text[place - 1] === '`';
  };
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
