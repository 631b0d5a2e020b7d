/** 1–200 characters, no control characters, no `/` or `\`, and not `.` or `..` (interface decisions, "Artifacts"). */
export function isArtifactName(name: string): boolean {
  return (
    name.length >= 1 &&
    name.length <= 200 &&
    name !== '.' &&
    name !== '..' &&
    name.isWellFormed() &&
    !/[\p{Cc}/\\]/u.test(name)
  );
}
