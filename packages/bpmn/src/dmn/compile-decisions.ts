import { isFeel } from '../is-feel.js';
import { getElements, getId, getTag, getString, type ModdleElement } from '../moddle.js';
import { Problems } from '../problems.js';
import { type DmnDecision, type DmnDecisionGraph, findLengthError } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { compileDecision } from './compile-decision.js';
import type { CompiledDecision } from './decision-logic.js';
import { checkProperties } from './check-properties.js';
import { evaluateDecision } from './evaluate-decision.js';
import { parseDmn } from './parse-dmn.js';
import { readRequirements, sortByRequirements, type DrgElements } from './requirements.js';

/** Descriptions of the elements of a decision requirements graph that are refused. Other elements are documentation. */
const UNSUPPORTED_ELEMENTS: ReadonlyMap<string, string> = new Map([
  ['businessKnowledgeModel', 'A business knowledge model'],
  ['decisionService', 'A decision service'],
]);

/** The compiled DMN decisions of a file. */
export interface CompiledRequirements {
  readonly id: string;
  readonly name: string | null;
  /** DMN decisions in document order. */
  readonly decisions: readonly CompiledDecision[];
}

/**
 * Compiles DMN 1.3 XML to DMN decisions that can be evaluated.
 *
 * Refuses everything that cannot be evaluated according to DMN 1.3 and Zeebe 8.6, and reports all problems together,
 * element by element. The same bytes always produce the same DMN decisions.
 *
 * @param source the file: its bytes (UTF-8), or its text
 * @throws {ModelRefusedError} with all problems found
 */
export async function compileDecisions(source: string | Uint8Array): Promise<DmnDecisionGraph> {
  return toDecisionGraph(await compileRequirements(source));
}

/**
 * Works like {@link compileDecisions}, but returns the DMN decisions as data, which {@link unlinkRequirements} prepares
 * for another thread.
 *
 * @throws {ModelRefusedError} with all problems found
 */
export async function compileRequirements(source: string | Uint8Array): Promise<CompiledRequirements> {
  const problems = new Problems();
  const definitions = await parseDmn(source, problems);
  const context: CompileContext = { problems, expressionLanguage: getString(definitions, 'expressionLanguage') };
  const id = getId(definitions);
  if (id === null)
    problems.add(
      null,
      'missing_id',
      'The definitions element has no id, which becomes the id of the decision requirements.',
    );
  checkProperties(context, definitions, id);
  const typeLanguage = getString(definitions, 'typeLanguage');
  if (typeLanguage !== undefined && !isFeel(typeLanguage)) {
    problems.add(id, 'foreign_language', `typeLanguage "${typeLanguage}" is refused: only FEEL types are supported.`);
  }
  const drg = readDrg(context, definitions);
  const requirements = new Map(
    [...drg.decisions].map(([key, element]) => [key, readRequirements(context, element, key, drg)]),
  );
  const compiled = new Map<string, CompiledDecision>();
  for (const key of sortByRequirements(context, requirements)) {
    const element = drg.decisions.get(key);
    const requires = (requirements.get(key) ?? []).map((other) => compiled.get(other));
    const decision =
      element &&
      compileDecision(
        context,
        element,
        key,
        requires.filter((other) => other !== undefined),
      );
    if (decision !== undefined) compiled.set(key, decision);
  }
  problems.throwIfAny();
  if (id === null) throw new Error('unreachable: definitions without an id are a problem');

  return {
    id,
    name: getString(definitions, 'name') ?? null,
    decisions: [...drg.decisions.keys()].flatMap((key) => compiled.get(key) ?? []),
  };
}

/**
 * The DMN decisions of a file, each with the ids of its required DMN decisions instead of nested objects: a chain of
 * nested objects may exceed the call stack.
 */
export interface UnlinkedRequirements extends Omit<CompiledRequirements, 'decisions'> {
  readonly decisions: readonly (Omit<CompiledDecision, 'requires'> & { readonly requires: readonly string[] })[];
}

export function unlinkRequirements({ decisions, ...file }: CompiledRequirements): UnlinkedRequirements {
  return {
    ...file,
    decisions: decisions.map((decision) => ({
      ...decision,
      requires: decision.requires.map(({ decisionId }) => decisionId),
    })),
  };
}

export function linkRequirements({ decisions, ...file }: UnlinkedRequirements): CompiledRequirements {
  const linkedDecisions = new Map(
    decisions.map((decision) => [decision.decisionId, { ...decision, requires: [] as CompiledDecision[] }]),
  );
  for (const { decisionId, requires } of decisions)
    linkedDecisions.get(decisionId)?.requires.push(...requires.flatMap((id) => linkedDecisions.get(id) ?? []));
  return { ...file, decisions: [...linkedDecisions.values()] };
}

export function toDecisionGraph({ id, name, decisions }: CompiledRequirements): DmnDecisionGraph {
  return { decisionRequirementsId: id, name, decisions: new Map(decisions.map(toDecision)) };
}

function readDrg(context: CompileContext, definitions: ModdleElement): DrgElements {
  const decisions = new Map<string, ModdleElement>();
  const inputData = new Map<string, ModdleElement>();
  for (const element of getElements(definitions, 'drgElement')) {
    const tag = getTag(element);
    const id = getId(element);
    const label = UNSUPPORTED_ELEMENTS.get(tag);
    if (label !== undefined) {
      context.problems.add(id, 'unsupported_element', `${label} is not supported in this version.`);
    } else if (tag === 'decision' || tag === 'inputData') {
      if (id === null)
        context.problems.add(null, 'missing_id', `The ${tag} "${getString(element, 'name') ?? ''}" has no id.`);
      else (tag === 'decision' ? decisions : inputData).set(id, element);
      const error = tag === 'decision' ? findLengthError(id ?? '', 'The id of the DMN decision') : undefined;
      if (error !== undefined) context.problems.add(id, 'id_too_long', error);
      checkProperties(context, element, id);
    }
  }
  if (decisions.size === 0) context.problems.add(null, 'no_decision', 'The file contains no DMN decision.');
  return { decisions, inputData };
}

function toDecision(compiled: CompiledDecision): [string, DmnDecision] {
  const { decisionId, name, decisionType, requires } = compiled;
  const decision: DmnDecision = {
    decisionId,
    name,
    decisionType,
    requiredDecisions: requires.map((required) => required.decisionId),
    evaluate: (scope) => evaluateDecision(compiled, scope),
  };
  return [decisionId, decision];
}
