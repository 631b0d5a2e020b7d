import {
  getCondition,
  renderFormalExpression,
  isFirstOfKey,
  renderRootElements,
  renderThrow,
  renderTrigger,
} from './event-xml.spec.support.js';
import { ScopeWriter, type ScopeTraits } from './scope-writer.spec.support.js';
import type {
  ActivitySketch,
  StartSketch,
  BlockSketch,
  BoundarySketch,
  EventSubProcessSketch,
  ModelSketch,
  ScopeSketch,
  TangleNode,
  TriggerSketch,
} from './sketch.spec.support.js';
import { renderLoop, MAPPING, renderTask } from './task-xml.spec.support.js';
import { writeCatchEvent, writeStart } from './write-events.spec.support.js';

/** A BPMN model, and whether its joins may wait for tokens that never arrive. */
export interface WrittenModel {
  readonly xml: string;
  readonly mayGetStuck: boolean;
}

/** Blocks after this number of nodes are omitted. */
const MAX_NODES = 25;

/** The nodes where a token enters and leaves the written part; `exit: null` if every token ends in it. */
interface Path {
  readonly entry: string;
  readonly exit: string | null;
}

export function writeModel(sketch: ModelSketch): WrittenModel {
  const writer = new ModelWriter();
  const process = writer.scope();
  const start = process.node('startEvent', 's');
  const begin = process.gateway('exclusive');
  process.flow(start, begin);
  writer.body(process, sketch.body, begin);
  writer.eventSubProcesses(process, sketch.eventSubProcesses);
  if (sketch.begin !== null) writer.writeStartEvents(process, sketch.begin, begin);
  writer.checkScopeSoundness();
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="d" targetNamespace="t">${renderRootElements()}
<bpmn:process id="p" isExecutable="true">
${process.toXml()}
</bpmn:process></bpmn:definitions>`;
  return { xml, mayGetStuck: writer.mayGetStuck };
}

class ModelWriter {
  mayGetStuck = false;
  private counter = 0;
  private nodeCount = 0;
  /** Number of branches around the current position, within its scope, that a join always waits for. */
  private awaitedDepth = 0;
  /** Whether several tokens may pass the current scope one after the other. */
  private hasParallelTokens = false;
  /** Whether the scope has a join that may merge successive tokens, although another join waits for each of them. */
  private hasTokenMerging = false;

  scope(traits: ScopeTraits = {}): ScopeWriter {
    const nextId = (prefix: string): string => {
      this.counter += 1;
      if (prefix !== 'f' && prefix !== 'a') this.nodeCount += 1;
      return `${prefix}${this.counter}`;
    };
    return new ScopeWriter(nextId, traits);
  }

  writeStartEvents(scope: ScopeWriter, begin: StartSketch, merge: string): void {
    // If a parallel gateway starts a run, each further event sends a token to the same node as the first event.
    if (begin.kind === 'gateway' && begin.parallel) this.hasParallelTokens = true;
    writeStart(scope, begin, merge, (event, body) => this.writeBlocks(scope, body, event));
  }

  /** Updates `mayGetStuck` after a scope has been written. */
  checkScopeSoundness(): void {
    if (this.hasParallelTokens && this.hasTokenMerging) this.mayGetStuck = true;
  }

  /** Writes blocks after a node, and an end event after the blocks. */
  body(scope: ScopeWriter, blocks: readonly BlockSketch[], from: string): void {
    const exit = this.writeBlocks(scope, blocks, from);
    if (exit !== null) scope.endBranch(exit);
  }

  eventSubProcesses(scope: ScopeWriter, sketches: readonly EventSubProcessSketch[]): void {
    const usedKeys = new Set<string>();
    for (const { trigger, interrupting, body } of sketches) {
      if ((trigger.kind === 'compensation' && !scope.allowsCompensation) || !isFirstOfKey(usedKeys, trigger)) continue;
      const interrupts = interrupting || alwaysInterrupts(trigger);
      const inner = this.writeInnerScope(() => {
        const innerScope = this.scope({ isInTransaction: scope.isInTransaction });
        this.body(
          innerScope,
          body,
          innerScope.node('startEvent', 's', renderTrigger(trigger, !interrupts), ` isInterrupting="${interrupts}"`),
        );
        return innerScope.toXml();
      });
      scope.node('subProcess', 'v', inner, ' triggeredByEvent="true"');
    }
  }

  /**
   * Writes blocks after a node.
   *
   * @returns the node where tokens leave the last block; `from` if there are no blocks, `null` if no token leaves
   */
  writeBlocks(
    scope: ScopeWriter,
    blocks: readonly BlockSketch[],
    from: string,
    firstCondition?: string,
  ): string | null {
    let lastNodeId: string | null = from;
    let flowCondition = firstCondition;
    for (const block of blocks) {
      if (lastNodeId === null || this.nodeCount > MAX_NODES) break;
      const path = this.block(scope, block);
      scope.flow(lastNodeId, path.entry, flowCondition);
      flowCondition = undefined;
      lastNodeId = path.exit;
    }
    return lastNodeId;
  }

  private block(scope: ScopeWriter, block: BlockSketch): Path {
    switch (block.kind) {
      case 'activity':
        return this.activity(scope, block);
      case 'split':
        return this.split(scope, block);
      case 'loopBack':
        return this.loopBack(scope, block.body, block.turns);
      case 'race':
        return this.race(scope, block.branches);
      case 'throw':
        return singleNodePath(
          scope.node('intermediateThrowEvent', 'i', () => renderThrow(block.variant, block.code, scope.compensable)),
        );
      case 'catch':
        return singleNodePath(
          writeCatchEvent(scope, [block.trigger, ...(block.second === null ? [] : [block.second])], block.parallel),
        );
      case 'link': {
        const name = scope.node(
          'intermediateThrowEvent',
          'l',
          () => `<bpmn:linkEventDefinition id="d${name}" name="${name}"/>`,
        );
        return {
          entry: name,
          exit: scope.node('intermediateCatchEvent', 'k', `<bpmn:linkEventDefinition name="${name}"/>`),
        };
      }
      case 'tangle':
        return this.tangle(scope, block.nodes);
      case 'end': {
        if (this.awaitedDepth > 0) this.mayGetStuck = true;
        if (scope.isAdHoc) return { entry: scope.node('manualTask', 't'), exit: null };
        const variant = block.variant === 'cancel' && !scope.isInTransaction ? 'none' : block.variant;
        return {
          entry: scope.node('endEvent', 'e', () => renderThrow(variant, block.code, scope.compensable)),
          exit: null,
        };
      }
    }
  }

  private split(scope: ScopeWriter, { split, join, branches }: Extract<BlockSketch, { kind: 'split' }>): Path {
    const fork = scope.gateway(split);
    const isComplex = join === 'complex';
    if (isComplex || (split !== join && join !== 'inclusive')) this.mayGetStuck = true;
    // The join may find the first token on one flow and the second on another (BPMN 2.0, table 13.3).
    if (join === 'inclusive' && this.awaitedDepth > 0) this.hasTokenMerging = true;
    const merge = scope.gateway(
      join,
      isComplex ? renderFormalExpression('activationCondition', '=activationCount >= 2') : '',
    );
    let isJoinReached = false;
    for (const branch of branches) {
      const isAwaited = join === 'parallel' || isComplex;
      const exit = this.writeBranch(isAwaited, () =>
        this.writeBlocks(scope, branch.body, fork, getCondition(branch.condition)),
      );
      if (exit === null) continue;
      scope.flow(exit, merge, exit === fork ? getCondition(branch.condition) : undefined);
      isJoinReached = true;
    }
    // A join without an incoming flow would be refused. If every branch ends, the fork leads to the join.
    if (!isJoinReached) scope.flow(fork, merge);
    return { entry: fork, exit: merge };
  }

  private loopBack(scope: ScopeWriter, body: readonly BlockSketch[], maxIterations: number): Path {
    const merge = scope.gateway('exclusive');
    const count = scope.node(
      'scriptTask',
      't',
      () =>
        `<bpmn:extensionElements><zeebe:script expression="=if ${merge} = null then 1 else ${merge} + 1" resultVariable="${merge}"/></bpmn:extensionElements>`,
    );
    scope.flow(merge, count);
    const exit = this.writeBlocks(scope, body, count);
    if (exit === null) return { entry: merge, exit: null };
    const loopGateway = scope.gateway('exclusive');
    scope.flow(exit, loopGateway);
    scope.flow(loopGateway, merge, `${merge} <= ${maxIterations}`);
    return { entry: merge, exit: loopGateway };
  }

  private race(scope: ScopeWriter, branches: Extract<BlockSketch, { kind: 'race' }>['branches']): Path {
    const gateway = scope.gateway('eventBased');
    const merge = scope.gateway('exclusive');
    const usedKeys = new Set<string>();
    const distinct = branches.filter((branch) => isFirstOfKey(usedKeys, branch.trigger));
    const fallbackTrigger: TriggerSketch = { kind: 'timer', which: 1 };
    for (const { trigger, body } of distinct.length > 1
      ? distinct
      : [...distinct, { trigger: fallbackTrigger, body: [] }]) {
      const event = writeCatchEvent(scope, [trigger]);
      scope.flow(gateway, event);
      const exit = this.writeBlocks(scope, body, event);
      if (exit !== null) scope.flow(exit, merge);
    }
    // The last branch always continues, so that the merge has an incoming flow.
    const last = writeCatchEvent(scope, [{ kind: 'timer', which: 2 }]);
    scope.flow(gateway, last);
    scope.flow(last, merge);
    return { entry: gateway, exit: merge };
  }

  private tangle(scope: ScopeWriter, nodes: readonly TangleNode[]): Path {
    this.mayGetStuck = true;
    const ids = nodes.map(({ variant }) =>
      variant === 'service'
        ? this.service(scope)
        : scope.gateway(
            variant,
            variant === 'complex' ? renderFormalExpression('activationCondition', '=activationCount >= 1') : '',
          ),
    );
    const nodeIdAt = (position: number): string => ids[position] ?? '';
    for (const [index, { variant, from, to }] of nodes.entries()) {
      if (index > 0) scope.flow(nodeIdAt(from % index), nodeIdAt(index), getCondition(from));
      for (const target of to) {
        const position = target % nodes.length;
        // Only jobs have a flow back: an endless loop without a wait would only reach the limit of a command.
        if (position > index || variant === 'service')
          scope.flow(nodeIdAt(index), nodeIdAt(position), getCondition(target));
      }
    }
    return { entry: nodeIdAt(0), exit: nodeIdAt(nodes.length - 1) };
  }

  private service(scope: ScopeWriter): string {
    return scope.node('serviceTask', 't', wrapExtensions(renderTask('service', 0).extensions));
  }

  private activity(scope: ScopeWriter, sketch: ActivitySketch): Path {
    const { variant, loop, handler, mapped } = sketch;
    const marker = loop === null ? '' : renderLoop(loop);
    const mapping = mapped ? MAPPING : '';
    const isScope = 'scope' in variant;
    const id = isScope ? this.subProcess(scope, variant, mapping, marker) : this.task(scope, variant, mapping, marker);
    if (isScope || handler !== null) scope.compensable.push(id);
    if (handler !== null) {
      const { type, attributes = '', extensions } = renderTask(handler, 0);
      const handlerNode = scope.node(type, 'h', wrapExtensions(extensions), ` isForCompensation="true"${attributes}`);
      scope.associate(
        scope.node('boundaryEvent', 'b', '<bpmn:compensateEventDefinition/>', ` attachedToRef="${id}"`),
        handlerNode,
      );
    }
    return this.withBoundaries(scope, sketch, id);
  }

  private task(
    scope: ScopeWriter,
    { task, form }: Extract<ActivitySketch['variant'], { task: unknown }>,
    mapping: string,
    marker: string,
  ): string {
    const { type, attributes = '', extensions } = renderTask(task, form);
    return scope.node(type, 't', wrapExtensions(extensions + mapping) + marker, attributes);
  }

  private subProcess(scope: ScopeWriter, sketch: ScopeSketch, mapping: string, marker: string): string {
    const isAdHoc = sketch.scope === 'adHocSubProcess';
    const inner = this.writeInnerScope(() => {
      const innerScope = this.scope({
        isAdHoc,
        isInTransaction: sketch.scope === 'transaction' || scope.isInTransaction,
        allowsCompensation: true,
      });
      if (isAdHoc) this.adHoc(innerScope, sketch.body);
      else this.body(innerScope, sketch.body, innerScope.node('startEvent', 's'));
      this.eventSubProcesses(innerScope, sketch.eventSubProcesses);
      return innerScope.toXml();
    });
    const completionXml =
      isAdHoc && sketch.condition !== null
        ? renderFormalExpression('completionCondition', `=${getCondition(sketch.condition)}`)
        : '';
    const attributes = isAdHoc ? ` ordering="${sketch.sequential ? 'Sequential' : 'Parallel'}"` : '';
    return scope.node(sketch.scope, 'p', wrapExtensions(mapping) + marker + inner + completionXml, attributes);
  }

  /** Writes unconnected blocks, and at least one activity. */
  private adHoc(scope: ScopeWriter, blocks: readonly BlockSketch[]): void {
    this.service(scope);
    for (const block of blocks) {
      if (this.nodeCount > MAX_NODES) return;
      const path = this.block(scope, block);
      // The throw event of a link needs an incoming flow.
      if (block.kind === 'link') scope.flow(this.service(scope), path.entry);
      if (path.exit !== null && path.exit !== path.entry) scope.endBranch(path.exit);
      else if (path.exit?.startsWith('i') === true || path.exit?.startsWith('c') === true) scope.endBranch(path.exit);
    }
  }

  private withBoundaries(scope: ScopeWriter, { variant, boundaries }: ActivitySketch, id: string): Path {
    const usedKeys = new Set<string>();
    const allowedBoundaries = boundaries.filter(
      ({ trigger }) => canAttachTo(variant, trigger) && isFirstOfKey(usedKeys, trigger),
    );
    if (allowedBoundaries.length === 0) return singleNodePath(id);
    const merge = scope.gateway('exclusive');
    scope.flow(id, merge);
    for (const boundary of allowedBoundaries) this.boundary(scope, boundary, id, merge);
    return { entry: id, exit: merge };
  }

  private boundary(
    scope: ScopeWriter,
    { trigger, interrupting, body, merges }: BoundarySketch,
    host: string,
    merge: string,
  ): void {
    const interrupts = interrupting || alwaysInterrupts(trigger);
    const event = scope.node(
      'boundaryEvent',
      'b',
      renderTrigger(trigger, !interrupts),
      ` attachedToRef="${host}" cancelActivity="${interrupts}"`,
    );
    const exit = this.writeBlocks(scope, body, event);
    // With one token too many or too few, a surrounding join may wait forever.
    if (this.awaitedDepth > 0 && interrupts !== (merges && exit !== null)) this.mayGetStuck = true;
    if (exit === null) return;
    if (merges) {
      if (!interrupts) this.hasParallelTokens = true;
      scope.flow(exit, merge);
    } else scope.endBranch(exit);
  }

  private writeBranch<T>(isAwaited: boolean, work: () => T): T {
    this.awaitedDepth += isAwaited ? 1 : 0;
    const result = work();
    this.awaitedDepth -= isAwaited ? 1 : 0;
    return result;
  }

  /** Writes the contents of an inner scope: joins around the scope do not wait for the tokens in it. */
  private writeInnerScope(work: () => string): string {
    const { awaitedDepth, hasParallelTokens, hasTokenMerging } = this;
    this.awaitedDepth = 0;
    this.hasParallelTokens = false;
    this.hasTokenMerging = false;
    const xml = work();
    this.checkScopeSoundness();
    this.awaitedDepth = awaitedDepth;
    this.hasParallelTokens = hasParallelTokens;
    this.hasTokenMerging = hasTokenMerging;
    return xml;
  }
}

function singleNodePath(id: string): Path {
  return { entry: id, exit: id };
}

function wrapExtensions(extensions: string): string {
  return extensions === '' ? '' : `<bpmn:extensionElements>${extensions}</bpmn:extensionElements>`;
}

function alwaysInterrupts({ kind }: TriggerSketch): boolean {
  return kind === 'error' || kind === 'compensation' || kind === 'cancel';
}

function canAttachTo(variant: ActivitySketch['variant'], { kind }: TriggerSketch): boolean {
  if (kind === 'cancel') return 'scope' in variant && variant.scope === 'transaction';
  return kind !== 'escalation' || 'scope' in variant || variant.task === 'call';
}
