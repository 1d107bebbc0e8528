"""`init`, `update` and `uninstall`."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from hipocampus.cli.group import Command, options
from hipocampus.cli.output import print_json, progress, talk, warn
from hipocampus.errors import UsageError
from hipocampus.hosts import registry
from hipocampus.hosts.host import Machine
from hipocampus.layout import find_workspace
from hipocampus.memory import Memory
from hipocampus.setup import doctor, host_state
from hipocampus.setup import init as setting_up
from hipocampus.setup import uninstall as taking_out

_SHOWN = 40
_STATE = "memory/.hipocampus/"


@click.command(cls=Command)
@click.option(
    "--platform", "platforms", multiple=True, metavar="NAME", help="Set up this agent; may be given several times."
)
@click.option("--stealth", is_flag=True, help="Touch no file that git tracks or shares; hide all in .git/info/exclude.")
@click.option(
    "--commit-memory/--ignore-memory", default=None, help="Keep the memory in git, or out of it (the default)."
)
@click.option("--no-vector", is_flag=True, help="Search by words alone, now and from now on.")
@click.option("--no-search", is_flag=True, help="Keep no search index, now and from now on.")
@click.option("--tenant", metavar="ID", help="Set up a memory of its own below tenants/ID, apart from all others.")
@click.option("--dry-run", is_flag=True, help="Say what would be made and make nothing.")
def init(
    platforms: tuple[str, ...],
    stealth: bool,
    commit_memory: bool | None,
    no_vector: bool,
    no_search: bool,
    tenant: str | None,
    dry_run: bool,
) -> None:
    """
    Set up a memory in this folder: hot files, memory/, knowledge/, plans/, settings, .gitignore.

    Sets up all agents that are in use here the first time, and from then on those in the setting `platform`;
    --platform adds to these, and the first time it takes only the named ones. Settings of an agent are edited in
    place. What exists already stays as it is; running it again changes nothing.
    """
    switched_off = {"search.vector": no_vector, "search.enabled": no_search}
    settings = {key: False for key, given in switched_off.items() if given}
    choice = setting_up.Choice(commit_memory, settings, platforms, stealth)
    if tenant is not None:
        own = find_workspace(options().directory).tenant(tenant)
        _carry_out(setting_up.plan_for(own, choice), dry_run=dry_run)
        return
    planned = setting_up.plan(options().directory, choice, hosts=registry.HOSTS, machine=Machine.here())
    _carry_out(planned, dry_run=dry_run)


@click.command(cls=Command)
@click.option("--dry-run", is_flag=True, help="Say what would be changed and change nothing.")
def update(dry_run: bool) -> None:
    """
    Bring what init wrote in this project up to this version: hooks, skills, blocks of instruction files.

    Changes only what is ours. A folder of the JavaScript hipocampus 0.5 is taken over: its hooks are replaced, its
    settings and its memory are kept.
    """
    workspace = find_workspace(options().directory)
    planned = setting_up.plan_for(workspace, hosts=registry.HOSTS, machine=Machine.here())
    _carry_out(planned, dry_run=dry_run)


@click.command(cls=Command)
@click.option(
    "--platform",
    "platforms",
    multiple=True,
    metavar="NAME",
    help="Take out only this agent; may be given several times.",
)
@click.option("--tenant", metavar="ID", help="Take out what init added below tenants/ID.")
@click.option("--purge", is_flag=True, help="Remove the memory too, after showing what goes.")
@click.option("--yes", is_flag=True, help="Purge without asking.")
@click.option("--dry-run", is_flag=True, help="Say what would go and remove nothing.")
def uninstall(platforms: tuple[str, ...], tenant: str | None, purge: bool, yes: bool, dry_run: bool) -> None:
    """
    Take out what init added to this project: files are the bytes they were, your own later changes stay.

    The memory itself stays and is listed. --purge removes it, but no file that was there before it.
    """
    if purge and platforms:
        message = "--purge removes the whole memory, --platform takes out one agent"
        raise UsageError(message, hint="give one of them")
    workspace = find_workspace(options().directory)
    workspace = workspace if tenant is None else workspace.tenant(tenant)
    planned = taking_out.plan(workspace, platforms, hosts=registry.HOSTS, machine=Machine.here(), purge=purge)
    if planned.purged and not dry_run and not yes:
        _ask(planned)
    if not dry_run:
        taking_out.apply(planned)
    if options().as_json:
        _print_uninstalled(planned, dry_run=dry_run)
        return
    warn(planned.warnings)
    would = "would " if dry_run else ""
    for verb, past, names in (("remove", "removed", planned.removed), ("restore", "restored", planned.restored)):
        for name in _shortened(names):
            click.echo(f"{would}{verb} {name}" if dry_run else f"{past} {name}")
    if not planned.removed and not planned.restored:
        talk("nothing of ours is left here; nothing to do")
    if planned.kept and not platforms:
        talk(f"{'would stay' if dry_run else 'stays'}: {', '.join(planned.kept)}")
        if not purge:
            talk("git no longer ignores these; `hipocampus uninstall --purge` removes the memory")


def _carry_out(planned: setting_up.InitPlan, *, dry_run: bool) -> None:
    compacted, blocked = None, []
    if not dry_run:
        setting_up.apply(planned)
        memory = Memory.find(planned.workspace.root, today=options().today)
        compacted = memory.compact(progress=progress())
        blocked = list(doctor.blocked(host_state.installed(memory, Machine.here()), Machine.here()))
    if options().as_json:
        written = compacted.written if compacted else ()
        print_json(
            {
                "workspace": str(planned.workspace.root),
                "dry_run": dry_run,
                "hosts": planned.hosts,
                "made": [*planned.changes, *written],
                "warnings": planned.warnings,
                "blocked": blocked,
            }
        )
        return
    warn((*planned.warnings, *(compacted.warnings if compacted else ())))
    for name in planned.changes:
        click.echo(f"{'would make' if dry_run else 'made'} {name}")
    _say_what_next(planned, dry_run=dry_run)
    for finding in blocked:
        talk(f"{registry.HOSTS[finding.host].title}: {finding.text}; {finding.hint}")


def _say_what_next(planned: setting_up.InitPlan, *, dry_run: bool) -> None:
    titles = [registry.HOSTS[name].title for name in planned.hosts]
    if not planned.changes:
        talk(f"{planned.workspace.root} is set up already; nothing to do")
    elif not dry_run:
        joined = f", with {', '.join(titles)}" if titles else ""
        talk(f'{planned.workspace.root} has a memory now{joined}. Next: hipocampus checkpoint "what was decided"')
    for name in planned.unused:
        talk(f"{registry.HOSTS[name].title} is in use here too: `hipocampus init --platform {name}` sets it up")


def _ask(planned: taking_out.UninstallPlan) -> None:
    """Show what a purge removes and ask. Raises UsageError without a terminal, Abort for a no."""
    shown = _shortened(planned.purged)
    for name in shown[:_SHOWN]:
        talk(f"  {name}")
    if len(shown) > _SHOWN:
        talk(f"  and {len(shown) - _SHOWN:,} more")
    if not sys.stdin.isatty():
        message = f"--purge would remove {len(planned.purged):,} files and there is nobody to ask"
        raise UsageError(message, hint="look at the list with --dry-run, then give --yes")
    click.confirm(f"Remove these {len(planned.purged):,} files?", abort=True, err=True)


def _shortened(names: Iterable[str]) -> list[str]:
    """The names, with the files that nobody would miss as the one folder that they are in."""
    return list(dict.fromkeys(_STATE if name.startswith(_STATE) else name for name in names))


def _print_uninstalled(planned: taking_out.UninstallPlan, *, dry_run: bool) -> None:
    print_json(
        {
            "workspace": str(planned.workspace.root),
            "dry_run": dry_run,
            "hosts": planned.hosts,
            "removed": planned.removed,
            "restored": planned.restored,
            "kept": planned.kept,
            "warnings": planned.warnings,
        }
    )
