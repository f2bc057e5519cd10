import type { Page } from 'playwright-core';

/** The actions of a person in GraphiQL. */
export class GraphiQLPage {
  constructor(readonly page: Page) {}

  /** Waits for the text of the tab, which appears after the run button. */
  async waitUntilReady(): Promise<void> {
    await this.page.locator('.graphiql-query-editor .view-lines').getByText('Welcome').waitFor();
  }

  openTab(name: string): Promise<void> {
    return this.page.getByRole('tab', { name, exact: true }).click();
  }

  run(): Promise<void> {
    return this.page.locator('.graphiql-execute-button').click();
  }

  async setVariables(variables: object): Promise<void> {
    await this.page.locator('.graphiql-editor-tool .graphiql-editor:not(.hidden) .view-lines').click();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.insertText(JSON.stringify(variables));
    // The editor has inserted closing brackets after the cursor.
    await this.page.keyboard.press('ControlOrMeta+Shift+End');
    await this.page.keyboard.press('Delete');
  }

  /** Waits until the response contains a text. */
  async waitForResponse(part: string): Promise<void> {
    await this.page.locator('.result-window .view-lines').getByText(part).first().waitFor();
  }

  /** Picks an operation in the menu, which must be open. */
  async pick(field: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: 'Find an operation' }).fill(field);
    // The name of a button begins with the kind of its operation. Other names may begin with that of the field.
    const name = new RegExp(`${field}$`);
    await this.page.locator('.operations').getByRole('button', { name }).first().click();
  }

  async logIn(email: string, password: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Login', exact: true }).click();
    await this.page.getByLabel('Email', { exact: true }).fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Log in', exact: true }).click();
  }
}
