import { createHash } from 'node:crypto';
import {
  type JsonObject,
  parseModelArguments,
  ModelError,
  type ModelToolCall,
  toProviderToolName,
} from '@countersign/core/plugin';
import { canonicalJson, findJsonEnd, isJsonObject } from '@countersign/model';

/** Members in which servers send signatures, on the call or on its function. */
const SIGNATURE_MEMBERS = ['extra_content', 'thought_signature', 'provider_specific_fields'] as const;
type Signatures = Readonly<Partial<Record<(typeof SIGNATURE_MEMBERS)[number], unknown>>>;

/** Members in which servers send arguments, on the function or next to it. */
const ARGUMENT_MEMBERS = ['arguments', 'parameters', 'input', 'args'] as const;
type Arguments = Readonly<Partial<Record<(typeof ARGUMENT_MEMBERS)[number], unknown>>>;

/** A part of a call in the form that servers actually send: index and id may be missing or wrong. */
interface CallPart extends Arguments, Signatures {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: Arguments & Signatures & { readonly name?: unknown };
}

/** A call with the data that must be sent back to the server (`Companions`). */
export type CompleteCall = ModelToolCall & { readonly companion?: JsonObject };

interface OpenCall {
  readonly index: number | undefined;
  id: string;
  name: string;
  arguments: string;
  /** Data that must be sent back to the server, by member name. */
  extra: JsonObject;
  /** Whether the call, if it has no arguments, may be part of the neighbouring call with the same name. */
  isAmbiguous: boolean;
}

const MAX_CALLS = 128;
/** Maximum white space after arguments, in characters. */
const MAX_TRAILING_SPACE = 100;
const MAX_PARSED_CHARACTERS = 50_000_000;
/** Maximum length of an id, in characters. */
const MAX_ID_LENGTH = 200;

/**
 * Assembles the calls of one response from the parts of a stream. Many servers send one index for all calls, no ids,
 * one id, or a new id with each part. Parts are then separated by name and by whether the arguments so far are
 * complete. If that is ambiguous, the response is malformed: a call that the model did not make is worse than no call.
 */
export class ToolCalls {
  private readonly calls: OpenCall[] = [];
  /** Number of characters parsed so far to detect complete calls. */
  private parsedCharacters = 0;

  constructor(private readonly idempotencyKey: string) {}

  /** Number of characters received so far. */
  get size(): number {
    return this.calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
  }

  /**
   * Adds a part of a call.
   *
   * @throws {ModelError} `model_answer_malformed`
   */
  add(rawPart: CallPart): void {
    if (typeof rawPart !== 'object' || rawPart === null) throw malformedResponse('a tool call that is not an object');
    const part = readPart(rawPart);
    const previous = this.findPreviousCall(part);
    const call =
      previous !== undefined && this.isContinuation(previous, part) ? previous : this.startCall(part, previous);
    if (call.id === '') call.id = part.id;
    if (call.name === '') call.name = part.name;
    call.arguments += part.args;
    call.extra = mergeExtra(call.extra, part.extra);
  }

  /**
   * Returns the assembled calls.
   *
   * @throws {ModelError} `model_answer_malformed` for a call without a tool name, or for calls that cannot be separated
   */
  complete(): readonly CompleteCall[] {
    const ids = new Set<string>();
    // Some streams end with an empty part.
    const startedCalls = this.calls.filter(
      ({ id, name, arguments: args }) => id !== '' || name !== '' || args.trim() !== '',
    );
    refuseAmbiguousCalls(startedCalls);
    return startedCalls.map(({ id, name, arguments: args, extra, isAmbiguous }, position) => {
      if (name === '') throw malformedResponse('a tool call without a name');
      if (hasSeveralObjects(args) || (isAmbiguous && args.trim() === ''))
        throw malformedResponse('tool calls that cannot be told apart');
      const uniqueId = id !== '' && id.length <= MAX_ID_LENGTH && !ids.has(id) ? id : this.generateId(position);
      ids.add(uniqueId);
      const companion = {
        ...extra,
        ...(id.length > MAX_ID_LENGTH ? { id } : {}),
      };
      return {
        id: uniqueId,
        name: toProviderToolName(name),
        arguments: parseModelArguments(args),
        ...(Object.keys(companion).length === 0 ? {} : { companion }),
      };
    });
  }

  /**
   * Returns the call that a part may continue: if it has an index, the last one with that index; otherwise the last one
   * with its id, or else the last call.
   */
  private findPreviousCall({ index, id }: Part): OpenCall | undefined {
    if (index !== undefined) return this.calls.findLast((call) => call.index === index);
    return (id === '' ? undefined : this.calls.findLast((call) => call.id === id)) ?? this.calls.at(-1);
  }

  /**
   * Returns whether a part continues a call; otherwise it starts another one.
   *
   * @throws {ModelError} if that is ambiguous
   */
  private isContinuation(call: OpenCall, { index, id, name, args }: Part): boolean {
    if (name === '' && args.trim() === '') return true;
    const isSameId = id === '' || call.id === '' || id === call.id;
    // Each part of a call may have a different id, but complete arguments are not continued.
    if (name === '' || call.name === '') return isSameId || !this.isCompleteJson(call.arguments);
    const hasNoArguments = call.arguments.trim() === '';
    if (name !== call.name) {
      if (isSameId && hasNoArguments) throw malformedResponse('a tool call with two names');
      return false;
    }
    // Without an index, a different id means a different call. With the same index and no arguments in either part, it
    // is ambiguous: unlike continued arguments, nothing shows that it is the same call, so the part starts a call that
    // is marked as ambiguous.
    if (!isSameId && hasNoArguments && (index === undefined || args.trim() === '')) return false;
    // This may be a second call, or the only part of the first call with its own id.
    if (!isSameId && hasNoArguments && this.isCompleteJson(args))
      throw malformedResponse('tool calls that cannot be told apart');
    if (!this.isCompleteJson(call.arguments)) return true;
    // The name may be repeated with each part.
    if (isSameId && args.trim() === '') return true;
    if (id !== '' && id === call.id && isRepetition(call.arguments, args))
      throw malformedResponse('the same tool call twice');
    return false;
  }

  /** Returns whether text is complete JSON. */
  private isCompleteJson(text: string): boolean {
    if (!/[}\]"el\d]$/.test(text.slice(-MAX_TRAILING_SPACE).trimEnd())) return false;
    this.parsedCharacters += text.length;
    if (this.parsedCharacters > MAX_PARSED_CHARACTERS) throw malformedResponse('tool calls in too many parts');
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  }

  private startCall({ index, name }: Part, previous: OpenCall | undefined): OpenCall {
    if (this.calls.length >= MAX_CALLS) throw malformedResponse(`more than ${MAX_CALLS} tool calls`);
    const isAmbiguous = previous?.name === name;
    if (isAmbiguous) previous.isAmbiguous = true;
    const call = { index, id: '', name: '', arguments: '', extra: {}, isAmbiguous };
    this.calls.push(call);
    return call;
  }

  /** Returns an id that is the same when the response is read again and differs between turns. */
  private generateId(position: number): string {
    return `call_${createHash('sha256').update(this.idempotencyKey).digest('hex').slice(0, 16)}_${position + 1}`;
  }
}

interface Part {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly args: string;
  readonly extra: JsonObject;
}

/** Returns whether two arguments are equal except for white space, or one of them is a placeholder. */
function isRepetition(one: string, other: string): boolean {
  return removeWhitespace(one) === removeWhitespace(other) || isEmptyArguments(one) || isEmptyArguments(other);
}

function isEmptyArguments(text: string): boolean {
  return ['', '{}'].includes(removeWhitespace(text));
}

/** Returns whether two texts are equal, as text or as JSON. */
function isSameJson(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return canonicalJson(JSON.parse(one)) === canonicalJson(JSON.parse(other));
  } catch {
    return false;
  }
}

function removeWhitespace(text: string): string {
  return text.replaceAll(/\s/g, '');
}

/**
 * Refuses calls that may be parts of one call. Some servers send a new index with each part. The first part, with only
 * the name, would then become a call without arguments, in addition to the real call. Calls with the same name can then
 * be told apart only by their ids.
 *
 * @throws {ModelError} `model_answer_malformed`
 */
function refuseAmbiguousCalls(calls: readonly OpenCall[]): void {
  const byName = new Map<string, OpenCall[]>();
  for (const call of calls) byName.set(call.name, [...(byName.get(call.name) ?? []), call]);
  for (const callsWithSameName of byName.values()) {
    const withoutArguments = callsWithSameName.filter(({ arguments: args }) => isEmptyArguments(args));
    for (const call of withoutArguments)
      if (callsWithSameName.some((other) => other !== call && mayBeSameCall(call, other)))
        throw malformedResponse('tool calls that cannot be told apart');
  }
}

/** Returns whether two calls with the same name, the first without arguments, may be one call judging by their ids. */
function mayBeSameCall({ id, index, arguments: args }: OpenCall, other: OpenCall): boolean {
  // With the same id, an empty object is a placeholder; without ids, it is as valid as any arguments.
  if (args.trim() !== '') return id !== '' && id === other.id;
  // Servers that send no ids may send two equal calls.
  if (id === '' && other.id === '' && index !== other.index && isEmptyArguments(other.arguments)) return false;
  return id === '' || other.id === '' || id === other.id;
}

function readPart(part: CallPart): Part {
  const { index, id, function: functionPart } = part;
  const functionSignatures = readSignatures(functionPart);
  return {
    index: readIndex(index),
    id: typeof id === 'string' ? id : '',
    name: typeof functionPart?.name === 'string' ? functionPart.name : '',
    args: readArguments(part),
    extra: {
      ...readSignatures(part),
      ...(Object.keys(functionSignatures).length === 0 ? {} : { function: functionSignatures }),
    },
  };
}

function readSignatures(holder: Signatures | null | undefined): JsonObject {
  const entries = SIGNATURE_MEMBERS.map((name) => [name, holder?.[name]] as const);
  return Object.fromEntries(
    entries.filter(([, value]) => isJsonObject(value) || (typeof value === 'string' && value !== '')),
  ) as JsonObject;
}

/** Merges the data of later parts of a call into that of earlier parts. */
function mergeExtra(earlier: JsonObject, later: JsonObject): JsonObject {
  const merged = Object.entries(later).map(([name, value]) => {
    const existing = earlier[name];
    return [name, isJsonObject(existing) && isJsonObject(value) ? { ...existing, ...value } : value];
  });
  return { ...earlier, ...(Object.fromEntries(merged) as JsonObject) };
}

function readIndex(value: unknown): number | undefined {
  const index = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}

/**
 * Returns the arguments of a part as text.
 *
 * @throws {ModelError} if they are sent in several members and differ
 */
function readArguments(part: CallPart): string {
  const texts = [part.function, part].flatMap((holder) =>
    ARGUMENT_MEMBERS.map((member) => toArgumentsText(holder?.[member])),
  );
  const nonEmptyTexts = texts.filter((each) => each !== '');
  const [first, ...others] = nonEmptyTexts.filter((each) => !isEmptyArguments(each));
  if (first === undefined) return nonEmptyTexts[0] ?? '';
  if (others.some((other) => !isSameJson(first, other)))
    throw malformedResponse('a tool call with different arguments in several members');
  return first;
}

function toArgumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  // Some servers send arguments as parsed JSON.
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Returns whether text contains one JSON object followed by another. */
function hasSeveralObjects(text: string): boolean {
  const trimmed = text.trimStart();
  const end = trimmed.startsWith('{') ? findJsonEnd(trimmed, 0) : undefined;
  return end !== undefined && trimmed.slice(end).trimStart().startsWith('{');
}

function malformedResponse(problem: string): ModelError {
  return new ModelError('model_answer_malformed', `The language model's response has ${problem}.`, true);
}
