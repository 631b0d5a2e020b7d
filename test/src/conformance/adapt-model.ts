/** Job type of service tasks without an implementation. */
export const CONFORMANCE_JOB = 'conformance';
/** Header that makes a job throw a BPMN error. */
export const THROW_HEADER = 'throwError';
/** Correlation key of messages that have none. A constant suffices, because only one receiver waits. */
export const CORRELATION_KEY = 'conformance';

const ZEEBE_NAMESPACE = 'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"';
const EXPRESSIONS = 'conditionExpression|condition|loopCardinality|loopCondition|completionCondition';

/**
 * Adds to a BPMN model, in Countersign's dialect, only what BPMN leaves to implementations: the job type of a service
 * task (`c:throwError`, `c:assign`), the correlation key of a message, and that an expression is FEEL (a leading `=`).
 *
 * All models come from one generator and use the same namespace prefix, so editing the text is sufficient.
 */
export function adaptModel(xml: string): string {
  const adapted = xml
    .replace(/<bpmn:(serviceTask|message)\b([^>]*)\/>/g, '<bpmn:$1$2></bpmn:$1>')
    .replace(
      /(<bpmn:serviceTask\b[^>]*>)([\s\S]*?)(?=<\/bpmn:serviceTask>)/g,
      (_all, openingTag: string, body: string) => openingTag + addJob(body),
    )
    .replace(
      /(<bpmn:message\b[^>]*>)([\s\S]*?)(?=<\/bpmn:message>)/g,
      (_all, openingTag: string, body: string) => openingTag + addCorrelationKey(body),
    )
    .replace(new RegExp(`(<bpmn:(?:${EXPRESSIONS})\\b[^>]*>)\\s*(?!=)(?=[^\\s<])`, 'g'), '$1=');
  return adapted.includes(ZEEBE_NAMESPACE)
    ? adapted
    : adapted.replace('<bpmn:definitions ', `<bpmn:definitions ${ZEEBE_NAMESPACE} `);
}

/** Returns the markers of script tasks, by element id. */
export function readMarkers(xml: string): ReadonlyMap<string, string> {
  const markers = new Map<string, string>();
  for (const [, , attributes = '', body = ''] of xml.matchAll(
    /<bpmn:(scriptTask|globalScriptTask)\b([^>]*)>([\s\S]*?)<\/bpmn:\1>/g,
  )) {
    const id = /\bid="([^"]+)"/.exec(attributes)?.[1];
    const marker = /<c:marker\b[^>]*\bvalue="([^"]+)"/.exec(body)?.[1];
    if (id !== undefined && marker !== undefined) markers.set(id, marker);
  }
  return markers;
}

function addJob(body: string): string {
  if (body.includes('<zeebe:taskDefinition')) return body;
  const error = /<c:throwError code="([^"]*)"/.exec(body)?.[1];
  const assignments = [...body.matchAll(/<c:assign variable="([^"]*)" feel="([^"]*)"/g)];
  return addExtension(
    body,
    `<zeebe:taskDefinition type="${CONFORMANCE_JOB}"/>` +
      (error === undefined
        ? ''
        : `<zeebe:taskHeaders><zeebe:header key="${THROW_HEADER}" value="${error}"/></zeebe:taskHeaders>`) +
      (assignments.length === 0
        ? ''
        : `<zeebe:ioMapping>${assignments.map(([, variable, feel]) => `<zeebe:output source="=${feel}" target="${variable}"/>`).join('')}</zeebe:ioMapping>`),
  );
}

function addCorrelationKey(body: string): string {
  if (body.includes('<zeebe:subscription')) return body;
  return addExtension(body, `<zeebe:subscription correlationKey="=&quot;${CORRELATION_KEY}&quot;"/>`);
}

/** Adds an extension; in BPMN extensions come after the documentation and before everything else. */
function addExtension(body: string, extension: string): string {
  if (body.includes('<bpmn:extensionElements>'))
    return body.replace('<bpmn:extensionElements>', `<bpmn:extensionElements>${extension}`);
  const documentationEnd = body.lastIndexOf('</bpmn:documentation>');
  const insertAt = documentationEnd === -1 ? 0 : documentationEnd + '</bpmn:documentation>'.length;
  return `${body.slice(0, insertAt)}<bpmn:extensionElements>${extension}</bpmn:extensionElements>${body.slice(insertAt)}`;
}
