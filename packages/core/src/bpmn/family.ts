import type { FlowNode, Mapping, SequenceFlow, Value } from '../domain/workflow-graph.js';
import type { CompileContext } from './compile-context.js';
import type { NodeDraft } from './draft-scope.js';
import type { Extensions } from './extensions.js';

/** What all flow nodes have in common, compiled already. */
export interface NodeBase {
  readonly id: string;
  readonly name: string | null;
  readonly type: string;
  readonly scopeId: string;
  readonly documentation: string | null;
  readonly incoming: readonly SequenceFlow[];
  readonly outgoing: readonly SequenceFlow[];
  readonly defaultFlow: SequenceFlow | null;
  readonly inputs: readonly Mapping[];
  readonly outputs: readonly Mapping[];
  readonly properties: Readonly<Record<string, string>>;
  readonly dynamicProperties: Readonly<Record<string, Value>>;
  readonly boundaryEvents: readonly string[];
}

/** How one BPMN type of flow node is compiled. */
export interface Family {
  /** Attributes and children (moddle's names) that it executes, or that mean nothing on it. */
  readonly properties: readonly string[];
  /** `zeebe:` elements that it executes, besides `zeebe:properties`. */
  readonly extensions: readonly string[];
  /** `undefined` where a problem was recorded. */
  compile(context: CompileContext, draft: NodeDraft, base: NodeBase, extensions: Extensions): FlowNode | undefined;
}

export type Families = ReadonlyMap<string, Family>;
