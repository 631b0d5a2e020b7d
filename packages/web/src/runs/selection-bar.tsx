import { Button, Group, Text } from '@mantine/core';
import { texts } from '../texts/index.js';
import type { BulkOperation } from './bulk-work.js';
import type { RunSelection } from './use-run-selection.js';

const { bulk } = texts.runs;

/** Offers the actions on the selected runs. */
export function SelectionBar({
  choice,
  onDo,
}: {
  readonly choice: RunSelection;
  onDo(operation: BulkOperation): void;
}) {
  return (
    <Group gap="xs" role="region" aria-label={bulk.chosen(choice.ids.size)} className="cs-choice-bar">
      <Text size="sm" fw={600} role="status">
        {choice.allMatching ? bulk.allChosen : bulk.chosen(choice.ids.size)}
      </Text>
      {!choice.allMatching && (
        <Button variant="subtle" size="compact-sm" mih={24} onClick={choice.chooseAllMatching}>
          {bulk.allMatching}
        </Button>
      )}
      <Button size="compact-sm" mih={24} variant="default" onClick={() => onDo('recover')}>
        {bulk.recover}
      </Button>
      <Button size="compact-sm" mih={24} variant="light" color="red" onClick={() => onDo('cancel')}>
        {bulk.cancel}
      </Button>
      <Button variant="subtle" size="compact-sm" mih={24} onClick={choice.clear}>
        {bulk.clear}
      </Button>
    </Group>
  );
}
