import type { DiagramBadge } from '@countersign/inbox-ui/diagram/diagram-view';
import { JsonView } from '@countersign/inbox-ui/ui/json-view';
import { Table, Text, Title } from '@mantine/core';
import type { WorkflowDetail } from '@countersign/contract';
import { useMemo } from 'react';
import { texts } from '../texts/index.js';
import { Listbox } from '../ui/listbox.js';
import { computeDiagramLayout } from '../diagram/diagram-layout.js';
import { Disclosure } from '../ui/disclosure.js';
import { useUrlState } from '../ui/use-url-state.js';
import { getElementFacts } from './element-facts.js';
import { ModelDiagram } from './model-diagram.js';
import type { ModelElement } from './read-model.js';
import { useModel } from './use-model.js';
import { TableHead } from '../ui/table-head.js';
import { getElementTypeLabel } from '../ui/element-type-label.js';

const t = texts.workflows;
const CONNECTION_TYPES = new Set(['bpmn:SequenceFlow', 'bpmn:Association', 'bpmn:MessageFlow']);
const NO_MARKS: ReadonlyMap<string, string> = new Map();
const NO_BADGES: readonly DiagramBadge[] = [];
/** First item of the list, for the workflow itself. Its id is empty, unlike the id of any element. */
const WORKFLOW_ITEM = { id: '', type: '', name: t.aboutWorkflow };

/** Shows the diagram with a list of its elements and the details of the selected one; `?element=`. */
export function WorkflowDiagram({ workflow }: { readonly workflow: WorkflowDetail }) {
  const url = useUrlState();
  const model = useModel(workflow.bpmnXml);
  const selected = url.get('element');
  const element = model?.elements.get(selected ?? workflow.workflowId);
  const listItems = useMemo(() => {
    const allElements = [...(model?.elements.values() ?? [])].filter(
      ({ id, type }) => id !== workflow.workflowId && type !== 'bpmn:Process',
    );
    // Connections come after all other elements.
    return [
      WORKFLOW_ITEM,
      ...allElements.filter(({ type }) => !CONNECTION_TYPES.has(type)),
      ...allElements.filter(({ type }) => CONNECTION_TYPES.has(type)),
    ];
  }, [model, workflow.workflowId]);
  const select = (id: string | undefined): void => url.set({ element: id });
  const layout = useMemo(() => computeDiagramLayout(workflow.bpmnXml), [workflow.bpmnXml]);
  return (
    <div className="cs-diagram-area">
      <div className="cs-split" {...layout}>
        <ModelDiagram
          xml={workflow.bpmnXml}
          label={t.diagramLabel(workflow.name ?? workflow.workflowId, workflow.version)}
          marks={NO_MARKS}
          badges={NO_BADGES}
          selected={selected}
          onSelect={select}
        />
        <div className="cs-beside cs-beside-two">
          {element !== undefined && (
            <ElementDetails
              element={element}
              isWorkflow={element.id === workflow.workflowId}
              description={workflow.description}
            />
          )}
          <div className="cs-elements">
            <Title order={2} size="h6">
              {t.elements}
            </Title>
            <Listbox
              label={t.elements}
              items={listItems}
              getKey={({ id }) => id}
              selectedKey={selected ?? WORKFLOW_ITEM.id}
              rowHeight={46}
              onSelect={({ id }) => select(id === WORKFLOW_ITEM.id ? undefined : id)}
            >
              {({ id, type, name }) => (
                <>
                  <span>{name ?? id}</span>
                  {id !== WORKFLOW_ITEM.id && (
                    <small>
                      {getElementTypeLabel(type)}
                      {name !== undefined && ` · ${id}`}
                    </small>
                  )}
                </>
              )}
            </Listbox>
          </div>
        </div>
      </div>
    </div>
  );
}

function ElementDetails({
  element,
  isWorkflow,
  description,
}: {
  readonly element: ModelElement;
  readonly isWorkflow: boolean;
  readonly description: string | null;
}) {
  const { facts, inputSchema } = getElementFacts(element);
  return (
    <section aria-label={element.name ?? element.id} className="cs-about" tabIndex={0}>
      <Title order={2} size="h5">
        {element.name ?? element.id}
      </Title>
      <Text size="xs" c="dimmed">
        {getElementTypeLabel(element.type)} · <code>{element.id}</code>
      </Text>
      <Text size="sm" my="xs" style={{ whiteSpace: 'pre-wrap' }}>
        {element.documentation ?? (isWorkflow ? description : null) ?? t.noDocumentation}
      </Text>
      {facts.length > 0 && (
        <Table aria-label={t.details} layout="fixed" fz="xs">
          <TableHead columns={[t.attribute, t.value]} />
          <Table.Tbody>
            {facts.map(([path, value]) => (
              <Table.Tr key={path}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{path}</Table.Td>
                <Table.Td className="cs-value">{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {inputSchema !== undefined && (
        <Disclosure title={<Text size="sm">{t.inputSchema}</Text>}>
          {() => <JsonView value={inputSchema} label={t.inputSchema} maxHeight={360} />}
        </Disclosure>
      )}
    </section>
  );
}
