import type { Value } from '@countersign/model';
import type { CompileContext, FileContext } from './compile-context.js';
import type { NodeDraft, ScopeDraft } from './scope-draft.js';
import { checkProperties } from './check-properties.js';
import { getElement, getElements, getId, getString, type ModdleElement } from './moddle.js';
import { checkLength, readValue } from './values.js';

/**
 * Returns the names of the innermost lanes of a process and its sub-processes, by the ids of the elements in them.
 *
 * BPMN 2.0, 10.8 leaves the meaning of a lane to the modeler. Here, the name of a lane is the candidate group of its
 * user tasks that have neither an assignee nor candidates. A lane has no other meaning.
 */
export function readLanes(context: FileContext, scope: ScopeDraft): ReadonlyMap<string, readonly string[]> {
  const lanes = new Map<string, string[]>();
  collectLanes(context, scope, lanes);
  return lanes;
}

function collectLanes(context: FileContext, scope: ScopeDraft, lanes: Map<string, string[]>): void {
  for (const laneSet of getElements(scope.element, 'laneSets')) {
    const laneNames = new Map<string, string>();
    readLaneSet(context, scope, laneSet, laneNames);
    for (const [id, name] of laneNames) lanes.set(id, [...(lanes.get(id) ?? []), name]);
  }
  for (const node of scope.nodes.values())
    if (node.innerScope !== undefined) collectLanes(context, node.innerScope, lanes);
}

/** Reads a lane set. Nested lanes are read last, so that they take precedence. */
function readLaneSet(
  context: FileContext,
  scope: ScopeDraft,
  laneSet: ModdleElement,
  laneNames: Map<string, string>,
): void {
  for (const lane of getElements(laneSet, 'lanes')) {
    checkProperties(context, lane, getId(lane) ?? scope.id, ['flowNodeRef', 'childLaneSet']);
    const name = getString(lane, 'name')?.trim() ?? '';
    for (const node of getElements(lane, 'flowNodeRef')) {
      const id = getId(node);
      if (id !== null && name !== '') laneNames.set(id, name);
    }
    const childLaneSet = getElement(lane, 'childLaneSet');
    if (childLaneSet !== undefined) readLaneSet(context, scope, childLaneSet, laneNames);
  }
}

/**
 * Returns the candidate group of a user task that has neither an assignee nor candidates: the name of its lane, or of
 * the lane of an enclosing sub-process.
 */
export function readLaneGroup(context: CompileContext, task: NodeDraft): Value | null {
  const names = new Set(getLaneNames(context, task));
  const [name] = names;
  if (name === undefined) return null;
  if (names.size > 1) {
    const message = `This user task is in several lanes ("${[...names].join('", "')}"), so its candidates are unclear: add zeebe:assignmentDefinition.`;
    context.problems.add(task.id, 'ambiguous_lane', message);
    return null;
  }
  checkLength(context, task.id, 'The lane name (the candidate group)', name.normalize('NFC'));
  // A literal with commas is a list, and a literal with a leading "=" is FEEL, so a name with these characters is
  // passed as a list of one item.
  if (!/[,=]/.test(name)) return { literal: name };
  return readValue(context, task.id, 'The lane name', `=[${JSON.stringify(name)}]`) ?? null;
}

function getLaneNames(context: CompileContext, task: NodeDraft): readonly string[] {
  const ownNames = context.lanes.get(task.id);
  if (ownNames !== undefined) return ownNames;
  for (let scope: ScopeDraft | undefined = task.scope; scope !== undefined; scope = scope.parent) {
    const names = context.lanes.get(scope.id);
    if (names !== undefined) return names;
  }
  return [];
}
