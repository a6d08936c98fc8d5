/** Gives tests a style sheet as text, as bundles do (scripts/build.mjs). */
module.exports = { process: (text) => ({ code: `module.exports = ${JSON.stringify(text)};` }) };
