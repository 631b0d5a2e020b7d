import type { CallActivity, FlowNode, NodeBase, Value } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import type { NodeDraft } from './scope-draft.js';
import { ACTIVITY_PROPERTIES, checkProperties } from './check-properties.js';
import type { Extensions } from './extensions.js';
import type { ElementCompilers } from './element-compiler.js';
import { getBoolean, getString, type ModdleElement } from './moddle.js';
import { checkLength, requireName } from './values.js';

/** The property that pins the version of the called workflow; Zeebe's binding types do not support version numbers. */
const VERSION_PROPERTY = 'calledElement.version';

export const callCompilers: ElementCompilers = new Map([
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
 * Compiles a call of another workflow. `zeebe:calledElement` names the process, as in Zeebe 8.6. Without this
 * extension, BPMN's own `calledElement` names it (BPMN 2.0, 10.3.6), and Zeebe's defaults apply to everything else.
 */
function compileCall(
  context: CompileContext,
  draft: NodeDraft,
  base: NodeBase,
  extensions: Extensions,
): FlowNode | undefined {
  const extension = extensions.get('zeebe:calledElement');
  const calledElement = getString(draft.element, 'calledElement')?.trim() ?? '';
  if (extension === undefined && calledElement === '') {
    const message =
      'The call activity does not name the process that it calls. Add <zeebe:calledElement processId="…"/> to its extensionElements.';
    context.problems.add(base.id, 'missing_called_element', message);
    return undefined;
  }
  if (extension !== undefined) return compileCalledElement(context, base, extension, calledElement);
  const localName = calledElement.slice(calledElement.indexOf(':') + 1);
  checkLength(context, base.id, 'calledElement', localName);
  return {
    ...base,
    kind: 'callActivity',
    workflowId: { literal: localName },
    // A BPMN reference refers to the element in the same file.
    binding: readVersion(context, base) ?? (context.processIds.has(localName) ? 'deployment' : 'latest'),
    propagateAllParentVariables: true,
    propagateAllChildVariables: true,
  };
}

function compileCalledElement(
  context: CompileContext,
  base: NodeBase,
  extension: ModdleElement,
  calledElement: string,
): FlowNode | undefined {
  checkProperties(context, extension, base.id, [
    'processId',
    'propagateAllChildVariables',
    'propagateAllParentVariables',
    'bindingType',
  ]);
  const label = 'processId of zeebe:calledElement';
  const workflowId = requireName(context, base.id, label, getString(extension, 'processId'));
  const binding = readBinding(context, base, getString(extension, 'bindingType') ?? 'latest');
  if (workflowId === undefined || binding === undefined) return undefined;
  if (calledElement !== '' && !isSameProcess(workflowId, calledElement)) {
    const message = `calledElement="${calledElement}" and zeebe:calledElement name different processes; remove calledElement.`;
    context.problems.add(base.id, 'ambiguous_called_element', message);
  }
  return {
    ...base,
    kind: 'callActivity',
    workflowId,
    binding,
    propagateAllParentVariables: getBoolean(extension, 'propagateAllParentVariables') !== false,
    propagateAllChildVariables: getBoolean(extension, 'propagateAllChildVariables') !== false,
  };
}

function isSameProcess(workflowId: Value, calledElement: string): boolean {
  return 'literal' in workflowId && workflowId.literal === calledElement.slice(calledElement.indexOf(':') + 1);
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
  const message = `Property "${VERSION_PROPERTY}" must be a version number of at least 1, not "${text}".`;
  context.problems.add(base.id, 'invalid_property', message);
  return undefined;
}
