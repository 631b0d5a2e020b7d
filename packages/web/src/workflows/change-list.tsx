import { Badge, Box, Group, Table, Text, Title, UnstyledButton } from '@mantine/core';
import { texts } from '../texts/index.js';
import type { AttributeChange, ChangeKind, ElementChange } from './compare-models.js';
import { getElementTypeLabel } from '../ui/element-type-label.js';
import { TableHead } from '../ui/table-head.js';
import { VirtualList } from '../ui/virtual-list.js';

const t = texts.workflows;
const COLORS: Readonly<Record<ChangeKind, string>> = {
  added: 'green',
  removed: 'red',
  changed: 'orange',
  moved: 'blue',
};

interface ChangeListProps {
  readonly changes: readonly ElementChange[];
  readonly selected: string | undefined;
  onSelect(elementId: string | undefined): void;
}

/** Lists the changes by element, with old and new values. */
export function ChangeList({ changes, selected, onSelect }: ChangeListProps) {
  return (
    <Box component="section" aria-label={t.changes} className="cs-scroll">
      <Title order={2} size="h6">
        {t.changes}
      </Title>
      <Text size="sm" c="dimmed" role="status" mb={4}>
        {t.changeSummary(changes.length)}
      </Text>
      <VirtualList
        label={t.changes}
        items={changes}
        getKey={({ kind, elementId }) => `${kind} ${elementId}`}
        estimatedItemHeight={90}
        gap={6}
      >
        {(change) => (
          <>
            <UnstyledButton
              className="cs-list-button"
              aria-pressed={change.elementId === selected}
              onClick={() => onSelect(change.elementId)}
            >
              <Group gap="xs" wrap="nowrap">
                <Badge variant="light" tt="none" color={COLORS[change.kind]} style={{ flexShrink: 0 }}>
                  {t.changeKinds[change.kind]}
                </Badge>
                <Text size="sm" fw={600} truncate>
                  {change.name ?? change.elementId}
                </Text>
              </Group>
              <Text size="xs" c="dimmed" truncate>
                {getElementTypeLabel(change.type)} · {change.elementId}
              </Text>
            </UnstyledButton>
            {change.attributes.length > 0 && (
              <AttributeTable label={change.name ?? change.elementId} attributes={change.attributes} />
            )}
            {change.kind === 'changed' && change.moved && (
              <Text size="xs" c="dimmed" px={10}>
                {t.alsoMoved}
              </Text>
            )}
          </>
        )}
      </VirtualList>
    </Box>
  );
}

function AttributeTable({
  label,
  attributes,
}: {
  readonly label: string;
  readonly attributes: readonly AttributeChange[];
}) {
  return (
    <Table className="cs-attributes" aria-label={label} layout="fixed" fz="xs" withTableBorder>
      <TableHead columns={[t.attribute, t.from, t.to]} />
      <Table.Tbody>
        {attributes.map(({ path, from, to }) => (
          <Table.Tr key={path}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{path}</Table.Td>
            <Table.Td className="cs-value">{from === undefined ? <MissingValue /> : <del>{from}</del>}</Table.Td>
            <Table.Td className="cs-value">{to === undefined ? <MissingValue /> : <ins>{to}</ins>}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function MissingValue() {
  return (
    <Text span size="xs" c="dimmed" fs="italic">
      {t.nothing}
    </Text>
  );
}
