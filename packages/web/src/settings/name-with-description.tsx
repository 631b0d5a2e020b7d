import { Text } from '@mantine/core';

/** Shows a name and, on the next line, its description. */
export function NameWithDescription({
  name,
  description,
}: {
  readonly name: string;
  readonly description: string | null;
}) {
  return (
    <>
      <Text size="sm" fw={500} truncate title={name}>
        {name}
      </Text>
      {description !== null && (
        <Text size="xs" c="dimmed" truncate title={description}>
          {description}
        </Text>
      )}
    </>
  );
}
