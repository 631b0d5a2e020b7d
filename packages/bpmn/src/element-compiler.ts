import type { FlowNode, NodeBase } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import type { NodeDraft } from './scope-draft.js';
import type { Extensions } from './extensions.js';

/** Compiler for one BPMN type of flow node. */
export interface ElementCompiler {
  /** Attributes and children (by their moddle names) that the compiler reads, or that have no effect on the element. */
  readonly properties: readonly string[];
  /** `zeebe:` elements that the compiler reads, in addition to `zeebe:properties`. */
  readonly extensions: readonly string[];
  /** Compiles a node; returns `undefined` if a problem was recorded. */
  compile(context: CompileContext, draft: NodeDraft, base: NodeBase, extensions: Extensions): FlowNode | undefined;
}

export type ElementCompilers = ReadonlyMap<string, ElementCompiler>;
