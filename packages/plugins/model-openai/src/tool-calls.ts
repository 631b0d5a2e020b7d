import { createHash } from 'node:crypto';
import {
  type JsonObject,
  modelArguments,
  ModelError,
  type ModelToolCall,
  modelToolName,
} from '@countersign/core/plugin';
import { canonicalJson, endOfJson, isJsonObject } from '@countersign/model';

/** Where servers put signatures, with the call or with its function. */
const SIGNED = ['extra_content', 'thought_signature', 'provider_specific_fields'] as const;
type Signed = Readonly<Partial<Record<(typeof SIGNED)[number], unknown>>>;

/** Where servers put arguments: with the function, or beside it. */
const PLACES = ['arguments', 'parameters', 'input', 'args'] as const;
type Arguments = Readonly<Partial<Record<(typeof PLACES)[number], unknown>>>;

/** A part of a call as servers really send it: the index may be missing or wrong, and so may the id. */
interface CallPart extends Arguments, Signed {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: Arguments & Signed & { readonly name?: unknown };
}

/** A call, with what the server wants back with it (`Companions`). */
export type CompleteCall = ModelToolCall & { readonly companion?: JsonObject };

interface Open {
  readonly index: number | undefined;
  id: string;
  name: string;
  arguments: string;
  /** What the server wants back with it, by its member. */
  extra: JsonObject;
  /** Whether it may also be a part of the one beside it, unless it has arguments. */
  isDoubtful: boolean;
}

const MAX_CALLS = 128;
/** White space behind arguments, in characters. */
const MAX_SPACE = 100;
const MAX_READ = 50_000_000;
/** Of an id, in characters. */
const LONGEST_ID = 200;

/**
 * Calls of one answer, put together from the parts of a stream. Many servers give all calls one index, no ids, one id, or each
 * part another id; parts are then told apart by names and by whether the arguments so far are complete. Where that does not
 * tell, the answer is malformed: a call that the model did not make is worse than none.
 */
export class ToolCalls {
  private readonly open: Open[] = [];
  /** Characters that were read to find out whether a call is complete. */
  private read = 0;

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
    const call = before !== undefined && this.continues(before, part) ? before : this.begin(part, before);
    if (call.id === '') call.id = part.id;
    if (call.name === '') call.name = part.name;
    call.arguments += part.given;
    call.extra = withMore(call.extra, part.extra);
  }

  /** @throws {ModelError} `model_answer_malformed`: a call of no tool, or several that can't be told apart */
  complete(): readonly CompleteCall[] {
    const ids = new Set<string>();
    // Some streams end with a part in which there is nothing.
    const begun = this.open.filter(({ id, name, arguments: given }) => id !== '' || name !== '' || given.trim() !== '');
    refuseRepeated(begun);
    return begun.map(({ id, name, arguments: given, extra, isDoubtful }, position) => {
      if (name === '') throw malformed('a call of a tool without its name');
      if (isSeveral(given) || (isDoubtful && given.trim() === ''))
        throw malformed('calls of tools that can not be told apart');
      const unique = id !== '' && id.length <= LONGEST_ID && !ids.has(id) ? id : this.madeUpId(position);
      ids.add(unique);
      const companion = {
        ...extra,
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

  /** Whether a part goes on with a call, or begins another one. @throws {ModelError} nobody knows */
  private continues(call: Open, { index, id, name, given }: Part): boolean {
    if (name === '' && given.trim() === '') return true;
    const isSameId = id === '' || call.id === '' || id === call.id;
    // Each part of a call may have another id, but what is complete does not go on.
    if (name === '' || call.name === '') return isSameId || !this.isWhole(call.arguments);
    const isBare = call.arguments.trim() === '';
    if (name !== call.name) {
      if (isSameId && isBare) throw malformed('a call of a tool with two names');
      return false;
    }
    // Without an index, another id is another call, if anything is. With one, nobody knows where both are without arguments:
    // unlike arguments that go on, nothing tells that it is the same call, so it begins one that is doubtful.
    if (!isSameId && isBare && (index === undefined || given.trim() === '')) return false;
    // It may be a second call, or the only part of the first that has an id of its own.
    if (!isSameId && isBare && this.isWhole(given)) throw malformed('calls of tools that can not be told apart');
    if (!this.isWhole(call.arguments)) return true;
    // The name may be said again with each part.
    if (isSameId && given.trim() === '') return true;
    if (id !== '' && id === call.id && isRepeated(call.arguments, given)) throw malformed('a call of a tool twice');
    return false;
  }

  /** Whether this is complete JSON. */
  private isWhole(text: string): boolean {
    if (!/[}\]"el\d]$/.test(text.slice(-MAX_SPACE).trimEnd())) return false;
    this.read += text.length;
    if (this.read > MAX_READ) throw malformed('calls of tools in too many parts');
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  }

  private begin({ index, name }: Part, before: Open | undefined): Open {
    if (this.open.length >= MAX_CALLS) throw malformed(`more than ${MAX_CALLS} calls of tools`);
    const isDoubtful = before?.name === name;
    if (isDoubtful) before.isDoubtful = true;
    const call = { index, id: '', name: '', arguments: '', extra: {}, isDoubtful };
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
  readonly extra: JsonObject;
}

/** Whether arguments say again what others said, or one of them is a placeholder. */
function isRepeated(one: string, other: string): boolean {
  return withoutSpace(one) === withoutSpace(other) || isEmpty(one) || isEmpty(other);
}

function isEmpty(given: string): boolean {
  return ['', '{}'].includes(withoutSpace(given));
}

/** Whether both are the same JSON, or the same part of one. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return canonicalJson(JSON.parse(one)) === canonicalJson(JSON.parse(other));
  } catch {
    return false;
  }
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, '');
}

/**
 * Some servers give each part of a call another index. The first part, with the name alone, would then become a call without
 * arguments beside the one that the model made. Calls of one name are told apart by their ids alone there.
 *
 * @throws {ModelError} `model_answer_malformed`
 */
function refuseRepeated(calls: readonly Open[]): void {
  const byName = new Map<string, Open[]>();
  for (const call of calls) byName.set(call.name, [...(byName.get(call.name) ?? []), call]);
  for (const same of byName.values()) {
    const bare = same.filter(({ arguments: given }) => isEmpty(given));
    for (const call of bare)
      if (same.some((other) => other !== call && isMaybeSame(call, other)))
        throw malformed('calls of tools that can not be told apart');
  }
}

/** Whether the ids of two calls of one name, of which the first has no arguments, do not tell that they are two. */
function isMaybeSame({ id, index, arguments: given }: Open, other: Open): boolean {
  // An empty object is the placeholder of a call of the same id; without ids, it is as good as any arguments.
  if (given.trim() !== '') return id !== '' && id === other.id;
  // Equal calls of servers without ids.
  if (id === '' && other.id === '' && index !== other.index && isEmpty(other.arguments)) return false;
  return id === '' || other.id === '' || id === other.id;
}

function readPart(part: CallPart): Part {
  const { index, id, function: called } = part;
  const ofFunction = signaturesOf(called);
  return {
    index: indexOf(index),
    id: typeof id === 'string' ? id : '',
    name: typeof called?.name === 'string' ? called.name : '',
    given: argumentsOf(part),
    extra: {
      ...signaturesOf(part),
      ...(Object.keys(ofFunction).length === 0 ? {} : { function: ofFunction }),
    },
  };
}

function signaturesOf(holder: Signed | null | undefined): JsonObject {
  const given = SIGNED.map((name) => [name, holder?.[name]] as const);
  return Object.fromEntries(
    given.filter(([, value]) => isJsonObject(value) || (typeof value === 'string' && value !== '')),
  ) as JsonObject;
}

/** Later parts of a call add to what came with the earlier ones. */
function withMore(before: JsonObject, more: JsonObject): JsonObject {
  const added = Object.entries(more).map(([name, value]) => {
    const known = before[name];
    return [name, isJsonObject(known) && isJsonObject(value) ? { ...known, ...value } : value];
  });
  return { ...before, ...(Object.fromEntries(added) as JsonObject) };
}

function indexOf(given: unknown): number | undefined {
  const index = typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : given;
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}

/** @throws {ModelError} they are given in several places, and differ */
function argumentsOf(part: CallPart): string {
  const given = [part.function, part].flatMap((holder) => PLACES.map((place) => argumentsText(holder?.[place])));
  const all = given.filter((each) => each !== '');
  const [first, ...others] = all.filter((each) => !isEmpty(each));
  if (first === undefined) return all[0] ?? '';
  if (others.some((other) => !isSame(first, other)))
    throw malformed('a call of a tool with arguments in several places');
  return first;
}

function argumentsText(given: unknown): string {
  if (typeof given === 'string') return given;
  // Some servers give them ready-made.
  return given === undefined || given === null ? '' : JSON.stringify(given);
}

/** Whether this is one JSON object and then another one. */
function isSeveral(text: string): boolean {
  const given = text.trimStart();
  const end = given.startsWith('{') ? endOfJson(given, 0) : undefined;
  return end !== undefined && given.slice(end).trimStart().startsWith('{');
}

function malformed(what: string): ModelError {
  return new ModelError('model_answer_malformed', `The model's answer holds ${what}.`, true);
}
