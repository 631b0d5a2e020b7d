import { Stack, Table, Text } from '@mantine/core';
import type { JsonValue } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { TextDiff } from '../ui/text-diff.js';
import type { JsonChange, JsonChanges } from './compare-rounds.js';

const t = texts.approvals;

/** The differences between two JSON values: long texts line by line, everything else in a table. */
export function JsonChangesTable({ changes, omittedCount }: JsonChanges) {
  return (
    <Stack gap="xs">
      {changes.filter(isLongText).map(({ pointer, before, after }) => (
        <TextDiff
          key={pointer}
          before={String(before ?? '')}
          after={String(after ?? '')}
          label={pointer}
          maxHeight={260}
        />
      ))}
      <Table aria-label={t.parts.changes} verticalSpacing={4} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="24%">{t.where}</Table.Th>
            <Table.Th>{t.before}</Table.Th>
            <Table.Th>{t.after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes
            .filter((change) => !isLongText(change))
            .map(({ pointer, before, after }) => (
              <Table.Tr key={pointer}>
                <Table.Td ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {escapeInvisible(pointer)}
                </Table.Td>
                <Table.Td>
                  <ChangeSide value={before} isPrevious />
                </Table.Td>
                <Table.Td>
                  <ChangeSide value={after} />
                </Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      {omittedCount > 0 && <Text size="sm">{t.moreChanges(omittedCount)}</Text>}
    </Stack>
  );
}

function isLongText({ before, after }: JsonChange): boolean {
  return [before, after].some((value) => typeof value === 'string' && (value.includes('\n') || value.length > 120));
}

function ChangeSide({
  value,
  isPrevious = false,
}: {
  readonly value: JsonValue | undefined;
  readonly isPrevious?: boolean;
}) {
  if (value === undefined) {
    return (
      <Text component="em" size="sm" c="dimmed">
        {t.absent}
      </Text>
    );
  }
  const text = escapeInvisible(typeof value === 'string' ? value : JSON.stringify(value));
  return isPrevious ? <del className="cs-side">{text}</del> : <ins className="cs-side">{text}</ins>;
}
