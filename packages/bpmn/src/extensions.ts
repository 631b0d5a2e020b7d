import { isSafeKey } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { isEmptyDeclaration } from './empty-elements.js';
import { getElement, getElements, getTag, getString, type ModdleElement } from './moddle.js';

/**
 * `zeebe:` elements that are ignored, with the BPMN elements on which they are allowed. They concern user interfaces
 * and names, not the execution (Zeebe's engine ignores them too).
 *
 * Any other `zeebe:` element is executed by the compiler of its BPMN element, or refused. Elements of other namespaces
 * are ignored (BPMN 2.0, 8.2.3).
 */
const IGNORED_EXTENSIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['zeebe:formDefinition', new Set(['userTask', 'startEvent'])],
  ['zeebe:userTaskForm', new Set(['process'])],
  ['zeebe:versionTag', new Set(['process'])],
  ['zeebe:userTask', new Set(['userTask'])],
]);

const REFUSAL_REASONS: ReadonlyMap<string, string> = new Map([
  ['zeebe:executionListeners', 'this version does not run the jobs of execution listeners'],
  ['zeebe:taskListeners', 'this version does not run the jobs of task listeners'],
  ['zeebe:linkedResources', 'this version does not pass linked resources to jobs'],
  ['zeebe:adHoc', 'an ad-hoc sub-process starts every element without an incoming flow'],
  ['zeebe:agentDefinition', 'use zeebe:taskDefinition type="agent"'],
  ['zeebe:jobPriorityDefinition', 'this version does not support job priorities'],
  ['zeebe:conditionalFilter', 'a condition is evaluated whenever a variable changes'],
]);

/** The supported `zeebe:` elements of a BPMN element, by tag. */
export type Extensions = ReadonlyMap<string, ModdleElement>;

/** Reads extension elements. Records unsupported and duplicate `zeebe:` elements. */
export function readExtensions(
  context: CompileContext,
  element: ModdleElement,
  elementId: string,
  supportedTags: ReadonlySet<string>,
): Extensions {
  const found = new Map<string, ModdleElement>();
  const extensionElements = getElement(element, 'extensionElements');
  for (const value of extensionElements === undefined ? [] : getElements(extensionElements, 'values')) {
    const tag = getTag(value);
    if (!tag.startsWith('zeebe:')) continue;
    if (supportedTags.has(tag)) {
      if (found.has(tag)) context.problems.add(elementId, 'duplicate_extension', `${tag} occurs more than once.`);
      found.set(tag, value);
    } else if (IGNORED_EXTENSIONS.get(tag)?.has(getTag(element)) !== true && !isEmptyDeclaration(value)) {
      const reason = REFUSAL_REASONS.get(tag) ?? 'it has no effect on this element';
      context.problems.add(
        elementId,
        'unsupported_extension',
        `${tag} on ${getTag(element)} is not executed: ${reason}.`,
      );
    }
  }
  return found;
}

/** Returns the names and values of `zeebe:properties`, or the keys and values of `zeebe:taskHeaders`. */
export function readPairs(
  context: CompileContext,
  elementId: string,
  container: ModdleElement | undefined,
  property: 'properties' | 'values',
): Readonly<Record<string, string>> {
  const key = property === 'properties' ? 'name' : 'key';
  const pairs = new Map<string, string>();
  for (const item of container === undefined ? [] : getElements(container, property)) {
    const name = getString(item, key) ?? '';
    const value = getString(item, 'value') ?? '';
    if (name === '') {
      context.problems.add(elementId, 'missing_value', `${getTag(item)} has no ${key}.`);
    } else if (!isSafeKey(name)) {
      context.problems.add(elementId, 'reserved_name', `${getTag(item)} ${key} "${name}" is reserved.`);
    } else if (pairs.has(name)) {
      context.problems.add(elementId, 'duplicate_name', `${getTag(item)} ${key} "${name}" occurs more than once.`);
    } else {
      pairs.set(name, value);
    }
  }
  return Object.fromEntries(pairs);
}
