// Prints the arms of FSXBENCH_ARMS as lines of tab-separated fields, for shell to read; refuses what it could not use.

const FIELDS = {
  name: /^[a-z][a-z0-9-]*$/,
  dnsName: /^[A-Za-z0-9.-]+$/,
  mountName: /^[A-Za-z0-9_-]{1,8}$/, // guide: LustreMountName
  mountPoint: /^(\/[A-Za-z0-9._-]+)+$/,
  mountOptions: /^[A-Za-z0-9=_,.-]+$/,
  stripeCount: /^(-1|0|[1-9][0-9]{0,3})$/,
};

/** The lines of an FSXBENCH_ARMS value; throws an Error whose message names the field. */
function armLines(text) {
  let arms;
  try {
    arms = JSON.parse(text);
  } catch {
    throw new Error(`'FSXBENCH_ARMS' must be a JSON array, got ${text || 'nothing'}`);
  }
  if (!Array.isArray(arms) || arms.length === 0) throw new Error(`'FSXBENCH_ARMS' must hold an arm, got ${text}`);
  return arms.map((arm) =>
    Object.entries(FIELDS)
      .map(([field, allowed]) => {
        const value = String(arm?.[field] ?? '');
        if (!allowed.test(value)) throw new Error(`'${field}' of an arm must match ${allowed.source}, got '${value}'`);
        return value;
      })
      .join('\t'),
  );
}

try {
  process.stdout.write(`${armLines(process.env.FSXBENCH_ARMS ?? '').join('\n')}\n`);
} catch (error) {
  process.stderr.write(`arms: error: ${error.message}\n`);
  process.exitCode = 1;
}
