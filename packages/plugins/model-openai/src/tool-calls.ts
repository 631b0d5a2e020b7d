import { createHash } from 'node:crypto';
import {
  type JsonObject,
  modelArguments,
  ModelError,
  type ModelToolCall,
  modelToolName,
} from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

/** A part of a call as servers really send it: the index may be missing or wrong, and so may the id. */
interface CallPart {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
  readonly extra_content?: unknown;
}

/** A call, with what the server wants back with it (`Companions`). */
export type CompleteCall = ModelToolCall & { readonly companion?: JsonObject };

interface Open {
  readonly index: number | undefined;
  id: string;
  name: string;
  arguments: string;
  extra: JsonObject | undefined;
  /** Whether it may also be a part of the one beside it, unless it has arguments. */
  isDoubtful: boolean;
}

const MAX_CALLS = 128;
/** Of an id, in characters. */
const LONGEST_ID = 200;

/**
 * Calls of one answer, put together from the parts of a stream. Many servers give all calls one index, no ids, one id, or each
 * part another id; parts are then told apart by names and by whether the arguments so far are complete. Where that does not
 * tell, the answer is malformed: a call that the model did not make is worse than none.
 */
export class ToolCalls {
  private readonly open: Open[] = [];

  constructor(private readonly idempotencyKey: string) {}

  /** Characters so far. */
  get size(): number {
    return this.open.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
  }

  /** @throws {ModelError} `model_answer_malformed` */
  add(sent: CallPart): void {
    if (typeof sent !== 'object' || sent === null) throw malformed('a call of a tool that is no object');
    const part = readPart(sent);
    const before = this.before(part);
    const call = before !== undefined && continues(before, part) ? before : this.begin(part, before);
    if (call.id === '') call.id = part.id;
    if (call.name === '') call.name = part.name;
    call.arguments += part.given;
    if (part.extra !== undefined) call.extra = { ...call.extra, ...part.extra };
  }

  /** @throws {ModelError} `model_answer_malformed`: a call of no tool, or several that can't be told apart */
  complete(): readonly CompleteCall[] {
    const ids = new Set<string>();
    return this.open.map(({ id, name, arguments: given, extra, isDoubtful }, position) => {
      if (name === '') throw malformed('a call of a tool without its name');
      if (isSeveral(given) || (isDoubtful && given.trim() === ''))
        throw malformed('calls of tools that can not be told apart');
      const unique = id !== '' && id.length <= LONGEST_ID && !ids.has(id) ? id : this.madeUpId(position);
      ids.add(unique);
      const companion = {
        ...(extra === undefined ? {} : { extra_content: extra }),
        ...(id.length > LONGEST_ID ? { id } : {}),
      };
      return {
        id: unique,
        name: modelToolName(name),
        arguments: modelArguments(given),
        ...(Object.keys(companion).length === 0 ? {} : { companion }),
      };
    });
  }

  /** The call that a part may go on with: that of its index, or else of its id, or else the last one. */
  private before({ index, id }: Part): Open | undefined {
    if (index !== undefined) return this.open.findLast((call) => call.index === index);
    return (id === '' ? undefined : this.open.findLast((call) => call.id === id)) ?? this.open.at(-1);
  }

  private begin({ index, name }: Part, before: Open | undefined): Open {
    if (this.open.length >= MAX_CALLS) throw malformed(`more than ${MAX_CALLS} calls of tools`);
    const isDoubtful = before?.name === name;
    if (isDoubtful) before.isDoubtful = true;
    const call = { index, id: '', name: '', arguments: '', extra: undefined, isDoubtful };
    this.open.push(call);
    return call;
  }

  /** The same when the answer is read again, and none of another turn. */
  private madeUpId(position: number): string {
    return `call_${createHash('sha256').update(this.idempotencyKey).digest('hex').slice(0, 16)}_${position + 1}`;
  }
}

interface Part {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly given: string;
  readonly extra: JsonObject | undefined;
}

/** Whether a part goes on with a call, or begins another one. */
function continues(call: Open, { index, id, name, given }: Part): boolean {
  if (name === '' && given.trim() === '') return true;
  const isSameId = id === '' || call.id === '' || id === call.id;
  // Each part of a call may have another id, but what is complete does not go on.
  if (name === '' || call.name === '') return isSameId || !isWhole(call.arguments);
  if (name !== call.name) {
    if (id !== '' && id === call.id && call.arguments === '') throw malformed('a call of a tool with two names');
    return false;
  }
  // Without an index, another id is another call, if anything is.
  if (!isSameId && index === undefined && call.arguments === '') return false;
  // The name may be said again with each part.
  return !isWhole(call.arguments) || (isSameId && given.trim() === '');
}

function readPart({ index, id, function: called, extra_content: extra }: CallPart): Part {
  return {
    index: indexOf(index),
    id: typeof id === 'string' ? id : '',
    name: typeof called?.name === 'string' ? called.name : '',
    given: argumentsText(called?.arguments),
    extra: isJsonObject(extra) ? extra : undefined,
  };
}

function indexOf(given: unknown): number | undefined {
  const index = typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : given;
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}

function argumentsText(given: unknown): string {
  if (typeof given === 'string') return given;
  // Some servers give them ready-made.
  return given === undefined || given === null ? '' : JSON.stringify(given);
}

/** Whether this is complete JSON. */
function isWhole(text: string): boolean {
  if (!/[}\]"el\d]\s*$/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether this is one JSON object and then another one. */
function isSeveral(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}]/gs)) {
    if (token === '{') depth += 1;
    else if (token === '}' && (depth -= 1) === 0)
      return text
        .slice(index + 1)
        .trimStart()
        .startsWith('{');
  }
  return false;
}

function malformed(what: string): ModelError {
  return new ModelError('model_answer_malformed', `The model's answer holds ${what}.`, true);
}
