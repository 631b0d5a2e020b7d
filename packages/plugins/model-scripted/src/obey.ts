import type { Json } from '@countersign/core/plugin';
import { canonicalJson, parseExactJson } from '@countersign/model';
import { createHash } from 'node:crypto';
import type { Conversation } from './conversation.js';
import { fillValues, MissingValueError } from './fill-values.js';

export interface Instruction {
  /** Tells it from others, in all turns. */
  readonly id: string;
  readonly tool: string;
  readonly arguments: Json;
}

const BEGINNING = /<<CALL\s+([^\s<>{}]{1,128})\s*/g;
const END = '>>';
/** Ends of a block that are tried, as JSON may hold the mark itself. */
const MAX_ENDS = 8;
/** How deep a block may be wrapped into texts of JSON. */
const MAX_WRAPPINGS = 4;

/**
 * The worst model there can be: it does what an instruction anywhere in the data says, `<<CALL tool {…}>>`, one at a time,
 * each once. An instruction may also ask for what the model was shown, as who wants it sent elsewhere would:
 * `{"$from": "shown"}`. `undefined`: all that was asked is done.
 */
export function nextInstruction(conversation: Conversation): Instruction | undefined {
  const done = new Set(conversation.calls().map(({ id }) => id));
  const next = conversation
    .shown()
    .flatMap(instructionsIn)
    .find(({ id }) => !done.has(id));
  return next === undefined ? undefined : { ...next, arguments: filled(next.arguments, conversation) };
}

function instructionsIn(text: string): readonly Instruction[] {
  return [...text.matchAll(BEGINNING)].flatMap((match) => {
    const [beginning, tool = ''] = match;
    const block = blockAt(text, match.index + beginning.length);
    return block === undefined ? [] : [{ id: idOf(tool, block), tool, arguments: block }];
  });
}

function blockAt(text: string, from: number): Json | undefined {
  const first = text.indexOf(END, from);
  for (let end = first, ends = 0; end >= 0 && ends < MAX_ENDS; end = text.indexOf(END, end + 1), ends += 1) {
    const block = unwrapped(text.slice(from, end));
    if (block !== undefined) return block;
  }
  // Arguments that are no JSON are something that models say, too.
  return first < 0 ? undefined : text.slice(from, first);
}

/** JSON, also where it stands in a text of JSON that stands in a text of JSON, as in results of tools. */
function unwrapped(text: string): Json | undefined {
  let block = text.trim();
  for (let wrappings = 0; wrappings < MAX_WRAPPINGS; wrappings += 1) {
    try {
      return parseExactJson(block) as Json;
    } catch {
      const inner = innerText(block);
      if (inner === undefined) return undefined;
      block = inner;
    }
  }
  return undefined;
}

function innerText(block: string): string | undefined {
  try {
    return JSON.parse(`"${block}"`) as string;
  } catch {
    return undefined;
  }
}

/** By what it says and not by the call that comes of it: that may be changed on its way, by a person for example. */
function idOf(tool: string, block: Json): string {
  return `obey_${createHash('sha256')
    .update(`${tool}\n${canonicalJson(block)}`)
    .digest('hex')
    .slice(0, 24)}`;
}

function filled(given: Json, conversation: Conversation): Json {
  try {
    return fillValues(given, conversation);
  } catch (error) {
    if (error instanceof MissingValueError) return given;
    throw error;
  }
}
