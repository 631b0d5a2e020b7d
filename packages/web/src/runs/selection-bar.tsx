import { Button, Group, Text } from '@mantine/core';
import { texts } from '../texts/index.js';
import type { BulkOperation } from './run-bulk-operation.js';
import type { RunSelection } from './use-run-selection.js';

const { bulk } = texts.runs;

/** Offers the actions on the selected runs. */
export function SelectionBar({
  selection,
  onAction,
}: {
  readonly selection: RunSelection;
  onAction(operation: BulkOperation): void;
}) {
  const label = selection.isAllMatchingSelected ? bulk.allSelected : bulk.selected(selection.ids.size);
  return (
    <Group gap="xs" role="region" aria-label={label} className="cs-choice-bar">
      <Text size="sm" fw={600} role="status">
        {label}
      </Text>
      {!selection.isAllMatchingSelected && (
        <Button variant="subtle" size="compact-sm" mih={24} onClick={selection.selectAllMatching}>
          {bulk.allMatching}
        </Button>
      )}
      <Button size="compact-sm" mih={24} variant="default" onClick={() => onAction('recover')}>
        {bulk.recover}
      </Button>
      <Button size="compact-sm" mih={24} variant="light" color="red" onClick={() => onAction('cancel')}>
        {bulk.cancel}
      </Button>
      <Button variant="subtle" size="compact-sm" mih={24} onClick={selection.clear}>
        {bulk.clear}
      </Button>
    </Group>
  );
}
