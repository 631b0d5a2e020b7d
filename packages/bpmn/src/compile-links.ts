import type { LinkThrow, NodeBase, PassThroughNode } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { getEventDefinitions, type NodeDraft } from './scope-draft.js';
import { checkProperties } from './check-properties.js';
import { getElement, getElements, getString, type ModdleElement } from './moddle.js';
import { isLink } from './node-kinds.js';

/**
 * Compiles a link throw event (BPMN 2.0, 10.5.5 "Link"): its tokens continue at the link catch event of the same name
 * in the same scope. Several link throw events may lead to one link catch event (Zeebe 8.6,
 * ModelUtil.verifyLinkIntermediateEvents).
 */
export function compileLinkThrow(context: CompileContext, draft: NodeDraft, base: NodeBase): LinkThrow | undefined {
  const { problems } = context;
  const name = checkLinkEvent(context, draft);
  if (base.incoming.length === 0) {
    const message = 'No sequence flow leads to this link throw event, so it would never be reached.';
    problems.add(base.id, 'missing_incoming', message);
  }
  if (base.outgoing.length > 0) {
    const message =
      'A link throw event cannot have outgoing sequence flows: the token continues at the link catch event.';
    problems.add(base.id, 'unexpected_outgoing', message);
  }
  if (name === undefined) return undefined;
  const [target] = findLinkEvents(draft, 'intermediateCatchEvent', name);
  if (target === undefined) {
    const message = `No link catch event in "${draft.scopeId}" has the name "${name}"; both link events must be in the same scope and have the same name.`;
    problems.add(base.id, 'missing_link_target', message);
    return undefined;
  }
  checkLinkReferences(context, draft, 'target', [target]);
  return { ...base, kind: 'linkThrow', targetId: target.id };
}

export function compileLinkCatch(
  context: CompileContext,
  draft: NodeDraft,
  base: NodeBase,
): PassThroughNode | undefined {
  const { problems } = context;
  const name = checkLinkEvent(context, draft);
  if (base.incoming.length > 0) {
    const message = 'A link catch event cannot have incoming sequence flows: tokens come from the link throw event.';
    problems.add(base.id, 'unexpected_incoming', message);
  }
  if (base.outgoing.length === 0) {
    problems.add(base.id, 'missing_outgoing', 'A link catch event needs an outgoing sequence flow.');
  }
  if (name === undefined) return undefined;
  const [first] = findLinkEvents(draft, 'intermediateCatchEvent', name);
  if (first !== draft) {
    const message = `"${first?.id ?? ''}" already catches the link "${name}"; a token cannot continue at two events.`;
    problems.add(base.id, 'duplicate_link', message);
  }
  const sources = findLinkEvents(draft, 'intermediateThrowEvent', name);
  if (sources.length === 0) {
    const message = `No link throw event in "${draft.scopeId}" has the name "${name}", so this event would never be reached.`;
    problems.add(base.id, 'missing_link_source', message);
  }
  checkLinkReferences(context, draft, 'source', sources);
  return { ...base, kind: 'passTask' };
}

/**
 * Checks the rules common to link throw and catch events.
 *
 * @returns the name of the link
 */
function checkLinkEvent(context: CompileContext, draft: NodeDraft): string | undefined {
  const definition = getLinkDefinition(draft);
  if (definition === undefined) return undefined;
  checkProperties(context, definition, draft.id, ['source', 'target']);
  const name = getLinkName(definition);
  if (name === '') context.problems.add(draft.id, 'missing_value', 'The name of the link is missing or empty.');
  return name === '' ? undefined : name;
}

/**
 * Checks that `source` and `target`, if present, match the names. Otherwise it would be ambiguous where a token
 * continues.
 */
function checkLinkReferences(
  context: CompileContext,
  draft: NodeDraft,
  property: 'source' | 'target',
  counterparts: readonly NodeDraft[],
): void {
  const definition = getLinkDefinition(draft);
  if (definition === undefined) return;
  const reference = getElement(definition, property);
  const expected = new Set(counterparts.map(getLinkDefinition));
  for (const referenced of reference === undefined ? getElements(definition, property) : [reference]) {
    if (expected.has(referenced)) continue;
    const message = `The ${property} of this event is link "${getLinkName(referenced)}" instead of link "${getLinkName(definition)}" in the same scope; both link events must have the same name.`;
    context.problems.add(draft.id, 'link_mismatch', message);
  }
}

function findLinkEvents(draft: NodeDraft, type: string, name: string): readonly NodeDraft[] {
  return [...draft.scope.nodes.values()].filter((node) => {
    const definition = node.type === type && isLink(node) ? getLinkDefinition(node) : undefined;
    return definition !== undefined && getLinkName(definition) === name;
  });
}

function getLinkDefinition(draft: NodeDraft): ModdleElement | undefined {
  return getEventDefinitions(draft)[0];
}

function getLinkName(definition: ModdleElement): string {
  return getString(definition, 'name')?.trim() ?? '';
}
