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

const CALL_START = /<<CALL\s+([^\s<>{}]{1,128})\s*/g;
const CALL_END = '>>';
/** Maximum number of end marks tried, because JSON may contain the mark itself. */
const MAX_END_MARKS = 8;
/** Maximum number of JSON strings that a block may be nested in. */
const MAX_NESTING = 4;

/**
 * Returns the next instruction for a worst-case language model, which obeys all instructions in the data (`<<CALL tool
 * {…}>>`), one at a time and each only once. Like an attacker who wants to extract data, an instruction may also
 * request everything that the language model received: `{"$from": "shown"}`. Returns `undefined` if all instructions
 * are done.
 */
export function findNextInstruction(conversation: Conversation): Instruction | undefined {
  const proposedIds = new Set(conversation.listCalls().map(({ id }) => id));
  const next = conversation
    .listReceivedTexts()
    .flatMap(findInstructions)
    .find(({ id }) => !proposedIds.has(id));
  return next === undefined ? undefined : { ...next, arguments: fillKnownValues(next.arguments, conversation) };
}

function findInstructions(text: string): readonly Instruction[] {
  return [...text.matchAll(CALL_START)].flatMap((match) => {
    const [startMark, tool = ''] = match;
    const block = readBlock(text, match.index + startMark.length);
    return block === undefined ? [] : [{ id: createInstructionId(tool, block), tool, arguments: block }];
  });
}

function readBlock(text: string, from: number): Json | undefined {
  const firstEnd = text.indexOf(CALL_END, from);
  for (
    let end = firstEnd, tries = 0;
    end >= 0 && tries < MAX_END_MARKS;
    end = text.indexOf(CALL_END, end + 1), tries += 1
  ) {
    const block = parseNestedJson(text.slice(from, end));
    if (block !== undefined) return block;
  }
  // Language models also send arguments that are not JSON.
  return firstEnd < 0 ? undefined : text.slice(from, firstEnd);
}

/** Parses JSON, even if it is nested in JSON strings, as in tool results. */
function parseNestedJson(text: string): Json | undefined {
  let block = text.trim();
  for (let depth = 0; depth < MAX_NESTING; depth += 1) {
    try {
      return parseExactJson(block) as Json;
    } catch {
      const inner = unescapeJsonString(block);
      if (inner === undefined) return undefined;
      block = inner;
    }
  }
  return undefined;
}

function unescapeJsonString(block: string): string | undefined {
  try {
    return JSON.parse(`"${block}"`) as string;
  } catch {
    return undefined;
  }
}

/**
 * Returns the id of an instruction. It is based on the instruction, not on the resulting call, because the call may be
 * changed before it runs, for example by a user.
 */
function createInstructionId(tool: string, block: Json): string {
  return `obey_${createHash('sha256')
    .update(`${tool}\n${canonicalJson(block)}`)
    .digest('hex')
    .slice(0, 24)}`;
}

function fillKnownValues(args: Json, conversation: Conversation): Json {
  try {
    return fillValues(args, conversation);
  } catch (error) {
    if (error instanceof MissingValueError) return args;
    throw error;
  }
}
