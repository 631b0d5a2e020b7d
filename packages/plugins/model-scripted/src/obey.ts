import type { Json } from '@countersign/core/plugin';
import { canonicalJson, parseExactJson } from '@countersign/model';
import { createHash } from 'node:crypto';
import type { Conversation } from './conversation.js';
import { fillValues, MissingValueError } from './fill-values.js';

export interface Instruction {
  /** Unique id across all turns. */
  readonly id: string;
  readonly tool: string;
  readonly arguments: Json;
}

const BEGINNING = /<<CALL\s+([^\s<>{}]{1,128})\s*/g;
const END = '>>';
/** Maximum number of end marks tried, because JSON may contain the mark itself. */
const MAX_ENDS = 8;
/** Maximum number of JSON strings that a block may be nested in. */
const MAX_WRAPPINGS = 4;

/**
 * Returns the next instruction for a worst-case model: it obeys instructions anywhere in the data, `<<CALL tool {…}>>`,
 * one at a time and each once. Like an attacker who wants to extract data, an instruction may also request everything
 * that the model was shown: `{"$from": "shown"}`. Returns `undefined` if all instructions are done.
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
  // Models also send arguments that are not JSON.
  return first < 0 ? undefined : text.slice(from, first);
}

/** Parses JSON, even if it is nested in JSON strings, as in tool results. */
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

/**
 * Returns the id of an instruction. It is based on the instruction, not on the resulting call, because the call may be
 * changed on its way, for example by a user.
 */
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
