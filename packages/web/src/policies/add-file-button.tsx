import { Button, Popover, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { texts } from '../texts/index.js';

const { trial: t } = texts.policies;
const FILE_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,80}\.cedar$/;

/** Button that adds a file to a policy draft. */
export function AddFileButton({
  existingNames,
  onAdd,
}: {
  readonly existingNames: readonly string[];
  onAdd(name: string): void;
}) {
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState('');
  const [isInvalid, setIsInvalid] = useState(false);
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (!FILE_NAME_PATTERN.test(name) || existingNames.includes(name)) return setIsInvalid(true);
    onAdd(name);
    setOpened(false);
    setName('');
  };
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-start">
      <Popover.Target>
        <Button variant="default" onClick={() => setOpened(!opened)}>
          {t.addFile}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-modal aria-label={t.addFile}>
        <form onSubmit={add}>
          <Stack gap="xs">
            <TextInput
              label={t.fileName}
              description={t.fileNameHint}
              error={isInvalid ? t.invalidName : undefined}
              value={name}
              onChange={(event) => {
                setName(event.currentTarget.value);
                setIsInvalid(false);
              }}
            />
            <Button type="submit">{t.add}</Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
