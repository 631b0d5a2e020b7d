import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';

interface FilterInputProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder?: string;
  onChange(value: string | undefined): void;
}

/** A filter that is typed, and asked for on Enter or when the field is left: the server looks for the whole word, so each letter would find nothing. */
export function FilterInput({ label, value = '', placeholder, onChange }: FilterInputProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const apply = (): void => {
    if (typed.trim() !== value) onChange(typed.trim() || undefined);
  };
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      w={180}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  );
}
