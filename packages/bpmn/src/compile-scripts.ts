import type { FlowNode, NodeBase } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { compileJobTask, JOB_EXTENSIONS } from './compile-jobs.js';
import { checkNotResultVariable } from './compile-mappings.js';
import type { NodeDraft } from './scope-draft.js';
import { ACTIVITY_PROPERTIES } from './check-properties.js';
import type { Extensions } from './extensions.js';
import type { ElementCompilers } from './element-compiler.js';
import { getString } from './moddle.js';
import { findNameError } from './variable-names.js';
import { requireExpression } from './values.js';

/** Compilers of script tasks (FEEL, or a job), and of tasks without an effect in this engine. */
export const scriptCompilers: ElementCompilers = new Map([
  [
    'scriptTask',
    {
      properties: [...ACTIVITY_PROPERTIES, 'scriptFormat', 'script'],
      extensions: [...JOB_EXTENSIONS, 'zeebe:script'],
      compile: compileScriptTask,
    },
  ],
  ['manualTask', { properties: ACTIVITY_PROPERTIES, extensions: ['zeebe:ioMapping'], compile: compilePassTask }],
  ['task', { properties: ACTIVITY_PROPERTIES, extensions: ['zeebe:ioMapping'], compile: compilePassTask }],
]);

/**
 * Compiles manual tasks and tasks without a type: the engine has nothing to execute (BPMN 2.0, 13.3.3), and tokens pass
 * through them, as in Zeebe.
 */
function compilePassTask(_context: CompileContext, _draft: NodeDraft, base: NodeBase): FlowNode {
  return { ...base, kind: 'passTask' };
}

function compileScriptTask(
  context: CompileContext,
  draft: NodeDraft,
  base: NodeBase,
  extensions: Extensions,
): FlowNode | undefined {
  const { problems } = context;
  const format = getString(draft.element, 'scriptFormat')?.trim().toLowerCase();
  if (format !== undefined && format !== '' && !format.includes('feel')) {
    const message = `scriptFormat "${format}" is refused: only FEEL is evaluated, and jobs do not receive scriptFormat.`;
    problems.add(base.id, 'foreign_script', message);
  }
  const script = extensions.get('zeebe:script');
  const isJob = extensions.has('zeebe:taskDefinition');
  if (script === undefined && isJob) return compileJobTask(context, draft, base, extensions);
  if (script === undefined) {
    const message =
      'The scriptTask has nothing to execute. Add <zeebe:script expression="=…" resultVariable="…"/> to its ' +
      'extensionElements, or zeebe:taskDefinition for a job; bpmn:script is never evaluated.';
    problems.add(base.id, 'missing_script', message);
    if ((format ?? '') === '' && getString(draft.element, 'script') !== undefined) {
      const text =
        'The script has no scriptFormat, which must name the script language (BPMN 2.0, 10.3.3 "Script Task").';
      problems.add(base.id, 'missing_script_format', text);
    }
    return undefined;
  }
  for (const tag of ['zeebe:taskDefinition', 'zeebe:taskHeaders']) {
    if (!extensions.has(tag)) continue;
    problems.add(
      base.id,
      'unsupported_extension',
      `A script task cannot have both ${tag} and zeebe:script; remove one of them.`,
    );
  }
  const expression = requireExpression(context, base.id, 'expression of zeebe:script', getString(script, 'expression'));
  const resultVariable = getString(script, 'resultVariable')?.trim() ?? '';
  const error = findNameError(resultVariable);
  if (error !== undefined) problems.add(base.id, 'invalid_name', `resultVariable of zeebe:script: ${error}.`);
  checkNotResultVariable(context, base.id, resultVariable, 'The script writes');
  return expression === undefined ? undefined : { ...base, kind: 'scriptTask', expression, resultVariable };
}
