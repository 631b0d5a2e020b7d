/**
 * Returns the title of an approval for which the BPMN model defines none.
 *
 * @param name what is asked, for example the name of the task
 * @param businessKey of the run; distinguishes the same request in many runs
 */
export function buildDefaultTitle(name: string, businessKey: string | null): string {
  return businessKey === null || businessKey === '' ? name : `${name} – ${businessKey}`;
}
