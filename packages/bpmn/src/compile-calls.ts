import type { CallActivity, FlowNode, NodeBase, Value } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import type { NodeDraft } from './draft-scope.js';
import { ACTIVITY_PROPERTIES, checkProperties } from './element-rules.js';
import type { Extensions } from './extensions.js';
import type { ElementCompilers } from './element-compiler.js';
import { flagOf, textOf, type ModdleElement } from './moddle.js';
import { checkLength, requireName } from './values.js';

/** The property that pins the version of the called workflow; Zeebe's binding types do not support version numbers. */
const VERSION_PROPERTY = 'calledElement.version';

export const callFamilies: ElementCompilers = new Map([
  [
    'callActivity',
    {
      properties: [...ACTIVITY_PROPERTIES, 'calledElement'],
      extensions: ['zeebe:calledElement', 'zeebe:ioMapping'],
      compile: compileCall,
    },
  ],
]);

/**
 * Compiles a call of another workflow. `zeebe:calledElement` names it, as on Zeebe 8.6. Otherwise BPMN's own
 * `calledElement` does (BPMN 2.0, 10.3.6), with Zeebe's defaults for everything that it does not define.
 */
function compileCall(
  context: CompileContext,
  draft: NodeDraft,
  base: NodeBase,
  extensions: Extensions,
): FlowNode | undefined {
  const extension = extensions.get('zeebe:calledElement');
  const plain = textOf(draft.element, 'calledElement')?.trim() ?? '';
  if (extension === undefined && plain === '') {
    const message =
      'The call activity does not name the process that it calls. Add <zeebe:calledElement processId="…"/> to its extensionElements.';
    context.problems.add(base.id, 'missing_called_element', message);
    return undefined;
  }
  if (extension !== undefined) return compileExtension(context, base, extension, plain);
  const local = plain.slice(plain.indexOf(':') + 1);
  checkLength(context, base.id, 'calledElement', local);
  return {
    ...base,
    kind: 'callActivity',
    workflowId: { literal: local },
    // A BPMN reference refers to the element in the same file.
    binding: readVersion(context, base) ?? (context.processIds.has(local) ? 'deployment' : 'latest'),
    propagateAllParentVariables: true,
    propagateAllChildVariables: true,
  };
}

function compileExtension(
  context: CompileContext,
  base: NodeBase,
  extension: ModdleElement,
  plain: string,
): FlowNode | undefined {
  checkProperties(context, extension, base.id, [
    'processId',
    'propagateAllChildVariables',
    'propagateAllParentVariables',
    'bindingType',
  ]);
  const place = 'processId of zeebe:calledElement';
  const workflowId = requireName(context, base.id, place, textOf(extension, 'processId'));
  const binding = readBinding(context, base, textOf(extension, 'bindingType') ?? 'latest');
  if (workflowId === undefined || binding === undefined) return undefined;
  if (plain !== '' && !isSame(workflowId, plain)) {
    const message = `calledElement="${plain}" and zeebe:calledElement name different processes; remove calledElement.`;
    context.problems.add(base.id, 'ambiguous_called_element', message);
  }
  return {
    ...base,
    kind: 'callActivity',
    workflowId,
    binding,
    propagateAllParentVariables: flagOf(extension, 'propagateAllParentVariables') !== false,
    propagateAllChildVariables: flagOf(extension, 'propagateAllChildVariables') !== false,
  };
}

function isSame(workflowId: Value, plain: string): boolean {
  return 'literal' in workflowId && workflowId.literal === plain.slice(plain.indexOf(':') + 1);
}

function readBinding(
  context: CompileContext,
  base: NodeBase,
  bindingType: string,
): CallActivity['binding'] | undefined {
  const version = readVersion(context, base);
  if (bindingType === 'latest') return version ?? 'latest';
  if (bindingType === 'deployment' && version === undefined) return 'deployment';
  const message =
    bindingType === 'deployment'
      ? `bindingType="deployment" and property "${VERSION_PROPERTY}" contradict each other.`
      : `bindingType="${bindingType}" is not supported: use "latest", "deployment", or property "${VERSION_PROPERTY}".`;
  context.problems.add(base.id, 'unsupported_binding', message);
  return undefined;
}

function readVersion(context: CompileContext, base: NodeBase): number | undefined {
  const text = base.properties[VERSION_PROPERTY]?.trim();
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  const message = `Property "${VERSION_PROPERTY}" must be a version number from 1, not "${text}".`;
  context.problems.add(base.id, 'invalid_property', message);
  return undefined;
}
