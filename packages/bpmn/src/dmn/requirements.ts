import { getElement, getElements, getId, isElement, getString, type ModdleElement } from '../moddle.js';
import type { CompileContext } from './compile-context.js';
import { checkProperties } from './check-properties.js';

/** The elements of a decision requirements graph that take part in an evaluation, by id. */
export interface DrgElements {
  readonly decisions: ReadonlyMap<string, ModdleElement>;
  readonly inputData: ReadonlyMap<string, ModdleElement>;
}

/** Returns the distinct ids of the DMN decisions that a DMN decision requires, in document order (DMN 1.3, 6.3.10). */
export function readRequirements(
  context: CompileContext,
  decision: ModdleElement,
  decisionId: string,
  drg: DrgElements,
): readonly string[] {
  const required = new Set<string>();
  for (const requirement of getElements(decision, 'informationRequirement')) {
    const elementId = getId(requirement) ?? decisionId;
    checkProperties(context, requirement, elementId);
    const requiredDecisionId = resolveReference(context, requirement, 'requiredDecision', elementId, drg.decisions);
    if (requiredDecisionId !== undefined) required.add(requiredDecisionId);
    resolveReference(context, requirement, 'requiredInput', elementId, drg.inputData);
  }
  return [...required];
}

function resolveReference(
  { problems }: CompileContext,
  requirement: ModdleElement,
  property: 'requiredDecision' | 'requiredInput',
  elementId: string,
  targets: ReadonlyMap<string, ModdleElement>,
): string | undefined {
  const reference = getElement(requirement, property);
  if (reference === undefined) return undefined;
  const href = getString(reference, 'href') ?? '';
  if (href === '') return undefined;
  const id = resolveHref(href, requirement);
  if (id !== undefined && targets.has(id)) return id;
  const kind = property === 'requiredDecision' ? 'a DMN decision' : 'input data';
  const message =
    id === undefined
      ? `${property} refers to "${href}"; only elements of the same file ("#id") are supported.`
      : `${property} refers to "${id}", which is not ${kind} in this file.`;
  problems.add(elementId, 'unresolved_reference', message);
  return undefined;
}

/**
 * Returns the id in the fragment of a URI of this file (DMN 1.3, 13.3.2): `#id`, optionally after the namespace of the
 * model.
 */
function resolveHref(href: string, element: ModdleElement): string | undefined {
  const hashIndex = href.indexOf('#');
  const namespace = href.slice(0, Math.max(hashIndex, 0));
  if (hashIndex === -1 || (namespace !== '' && namespace !== getNamespace(element))) return undefined;
  const fragment = href.slice(hashIndex + 1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function getNamespace(element: ModdleElement): string | undefined {
  let root = element;
  while (isElement(root['$parent'])) root = root['$parent'];
  return getString(root, 'namespace');
}

/**
 * Returns the DMN decisions, each after the DMN decisions that it requires. Records cycles (forbidden by DMN 1.3,
 * 6.3.10). Not recursive: a chain may be as long as the file allows.
 */
export function sortByRequirements(
  { problems }: CompileContext,
  requirements: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const done = new Set<string>();
  for (const root of requirements.keys()) {
    const path: TraversalStep[] = done.has(root) ? [] : [createTraversalStep(requirements, root)];
    const idsOnPath = new Set([root]);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const next = step.required.next();
      if (next.done === true) {
        path.pop();
        idsOnPath.delete(step.id);
        done.add(step.id);
      } else if (idsOnPath.has(next.value)) {
        reportCycle(problems, [...idsOnPath], next.value);
      } else if (!done.has(next.value)) {
        path.push(createTraversalStep(requirements, next.value));
        idsOnPath.add(next.value);
      }
    }
  }
  return [...done];
}

/** A DMN decision on the current path, with the requirements still to visit. */
interface TraversalStep {
  readonly id: string;
  readonly required: Iterator<string>;
}

function createTraversalStep(requirements: ReadonlyMap<string, readonly string[]>, id: string): TraversalStep {
  return { id, required: (requirements.get(id) ?? []).values() };
}

function reportCycle(problems: CompileContext['problems'], path: readonly string[], start: string): void {
  const cycle = path.slice(path.indexOf(start));
  const shownCycle = cycle.length > 10 ? [...cycle.slice(0, 10), '…'] : cycle;
  const message = `The DMN decisions form a cycle of requirements: ${[...shownCycle, start].join(' → ')}.`;
  problems.add(start, 'circular_requirement', message);
}
