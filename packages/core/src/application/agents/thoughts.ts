/** How models mark what they say to themselves, where their server does not take it apart. */
const BEGIN = /^[\s\ufeff]*(?:<(think|thinking|thought|thoughts|reasoning|reflection)>|\[(think)\])/i;
/** Templates that begin the thoughts for the model leave their end alone, in a line of its own. */
const LONE_END = /^[^\S\n]*(?:<\/(?:think|thinking|thought|thoughts|reasoning)>|\[\/think\])[^\S\n]*$/im;
/** Channels of the harmony format, of which the last one is the answer. */
const CHANNEL = /^[\s\ufeff]*(?:<\|start\|>assistant)?<\|channel\|>/;
const FINAL_CHANNEL = /<\|channel\|>final[^<]*<\|message\|>/g;
const END_OF_CHANNEL = /<\|(?:end|return)\|>\s*$/;

/**
 * An answer without the thoughts in front of it, which are not for others. The text itself where there are none; nothing where
 * the thoughts do not end. Marks in the midst of an answer belong to it.
 */
export function withoutThoughts(text: string): string {
  if (CHANNEL.test(text)) return finalChannel(text);
  let rest = text;
  for (let begin = BEGIN.exec(rest); begin !== null; begin = BEGIN.exec(rest)) {
    const end = endOf(begin).exec(rest);
    if (end === null) return '';
    rest = rest.slice(end.index + end[0].length).trimStart();
  }
  const lone = LONE_END.exec(rest);
  return lone === null ? rest : rest.slice(lone.index + lone[0].length).trimStart();
}

function endOf([, tag, bracket]: RegExpExecArray): RegExp {
  return bracket === undefined ? new RegExp(`</${tag ?? ''}>`, 'i') : /\[\/think\]/i;
}

function finalChannel(text: string): string {
  const final = [...text.matchAll(FINAL_CHANNEL)].at(-1);
  if (final === undefined) return '';
  return text.slice(final.index + final[0].length).replace(END_OF_CHANNEL, '');
}
