/** What the editor's own test driver calls: runs mocha with the tests beside this file, inside the extension host. */

import Mocha from "mocha";

/** Resolves when all tests pass. What failed is printed. */
export function run(): Promise<void> {
  const mocha = new Mocha({ ui: "bdd", timeout: 400_000, reporter: "spec", color: false });
  mocha.suite.emit("pre-require", globalThis as unknown as Mocha.MochaGlobals, "host", mocha);
  require("./features.host");
  return new Promise((resolve, reject) => {
    mocha.run((failures) => (failures > 0 ? reject(new Error(`${failures} tests failed`)) : resolve()));
  });
}
