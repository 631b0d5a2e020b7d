import { Group, Text, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useActionKeys } from '../keys/keys-provider.js';
import { Keys } from '../keys/keys-help.js';
import { texts } from '../texts/index.js';

/** Button that opens the palette with the mouse and shows its keys. */
export function PaletteButton({ onOpen }: { onOpen(): void }) {
  const keys = useActionKeys('app.palette');
  return (
    <UnstyledButton onClick={onOpen} visibleFrom="xs" className="cs-palette-button">
      <Group gap="xs" wrap="nowrap">
        <IconSearch size={16} aria-hidden />
        <Text size="sm">{texts.app.search}</Text>
        {keys !== undefined && <Keys keys={keys} />}
      </Group>
    </UnstyledButton>
  );
}
