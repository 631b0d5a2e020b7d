import { Box, Stack, Table, Text, Title, UnstyledButton } from '@mantine/core';
import type { WorkflowDetail } from '@countersign/contract';
import { useMemo } from 'react';
import { texts } from '../texts/index.js';
import { Disclosure } from '../ui/disclosure.js';
import { JsonView } from '../ui/json-view.js';
import { useUrlState } from '../ui/use-url-state.js';
import { factsOf } from './element-facts.js';
import { ModelDiagram } from './model-diagram.js';
import { typeName, type ModelElement } from './read-model.js';
import { useModel } from './use-model.js';
import { TableHead } from '../ui/table-head.js';

const { workflows: t } = texts;
const NO_MARKS: ReadonlyMap<string, string> = new Map();

/** The diagram, with all its elements beside it and what the chosen one says; `?element=`. */
export function DiagramView({ workflow }: { readonly workflow: WorkflowDetail }) {
  const url = useUrlState();
  const model = useModel(workflow.bpmnXml);
  const selected = url.get('element');
  const element = model?.elements.get(selected ?? workflow.workflowId);
  const others = useMemo(() => [...(model?.elements.values() ?? [])].filter(({ id, type }) => id !== workflow.workflowId && type !== 'bpmn:Process'), [model, workflow.workflowId]);
  const select = (id: string | undefined): void => url.set({ element: id });
  return (
    <div className="cs-split">
      <ModelDiagram xml={workflow.bpmnXml} label={t.diagramOf(workflow.name ?? workflow.workflowId, workflow.version)} marks={NO_MARKS} badges={[]} selected={selected} onSelect={select} />
      <Stack gap="sm" className="cs-scroll">
        {element !== undefined && <About element={element} isWorkflow={element.id === workflow.workflowId} description={workflow.description} />}
        <Box component="nav" aria-label={t.elements}>
          <Title order={2} size="h6" mb={4}>
            {t.elements}
          </Title>
          <UnstyledButton className="cs-list-button" aria-pressed={selected === undefined} onClick={() => select(undefined)}>
            <Text size="sm">{t.aboutWorkflow}</Text>
          </UnstyledButton>
          {others.map(({ id, type, name }) => (
            <UnstyledButton key={id} className="cs-list-button" aria-pressed={id === selected} onClick={() => select(id)}>
              <Text size="sm" truncate>
                {name ?? id}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {typeName(type)} · {id}
              </Text>
            </UnstyledButton>
          ))}
        </Box>
      </Stack>
    </div>
  );
}

function About({ element, isWorkflow, description }: { readonly element: ModelElement; readonly isWorkflow: boolean; readonly description: string | null }) {
  const { facts, inputSchema } = factsOf(element);
  return (
    <section aria-label={element.name ?? element.id}>
      <Title order={2} size="h5">
        {element.name ?? element.id}
      </Title>
      <Text size="xs" c="dimmed" ff="monospace">
        {typeName(element.type)} · {element.id}
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
      {inputSchema !== undefined && <Disclosure title={<Text size="sm">{t.inputSchema}</Text>}>{() => <JsonView value={inputSchema} label={t.inputSchema} maxHeight={360} />}</Disclosure>}
    </section>
  );
}
