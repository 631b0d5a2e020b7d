// A C# compiler on the libraries of Roslyn, for machines without the .NET SDK: takes the arguments of csc.
using System;
using System.IO;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

static class Csc
{
    static int Main(string[] args)
    {
        var framework = Path.GetDirectoryName(typeof(object).Assembly.Location);
        var given = CSharpCommandLineParser.Default.Parse(args, Directory.GetCurrentDirectory(), framework, null);
        if (given.Errors.Any()) return Report(given.Errors, false);
        var trees = given.SourceFiles.AsParallel().AsOrdered().Select(file => Parse(file.Path, given.ParseOptions)).ToList();
        var methods = trees.SelectMany(tree => tree.GetRoot().DescendantNodes().OfType<MethodDeclarationSyntax>());
        trees.AddRange(methods.Select(GeneratedRegex).Where(source => source != null)
            .Select(source => CSharpSyntaxTree.ParseText(source, given.ParseOptions)).ToList());
        var references = given.MetadataReferences.Select(each => MetadataReference.CreateFromFile(each.Reference, each.Properties));
        var compilation = CSharpCompilation.Create(given.CompilationName, trees, references, given.CompilationOptions);
        using (var output = File.Create(Path.Combine(given.OutputDirectory, given.OutputFileName)))
        {
            var result = compilation.Emit(output);
            return Report(result.Diagnostics.Where(each => each.Severity == DiagnosticSeverity.Error), result.Success);
        }
    }

    static int Report(System.Collections.Generic.IEnumerable<Diagnostic> faults, bool isDone)
    {
        foreach (var fault in faults) Console.Error.WriteLine(fault);
        return isDone ? 0 : 1;
    }

    static SyntaxTree Parse(string path, CSharpParseOptions options)
    {
        var bytes = File.ReadAllBytes(path);
        return CSharpSyntaxTree.ParseText(SourceText.From(bytes, bytes.Length), options, path);
    }

    // What the source generator of [GeneratedRegex] writes, which is only in the SDK.
    static string GeneratedRegex(MethodDeclarationSyntax method)
    {
        var attribute = method.AttributeLists.SelectMany(list => list.Attributes)
            .FirstOrDefault(each => each.Name.ToString() == "GeneratedRegex");
        if (attribute == null || method.Body != null) return null;
        var type = (ClassDeclarationSyntax)method.Parent;
        var space = method.Ancestors().OfType<BaseNamespaceDeclarationSyntax>().First().Name;
        return "using System.Text.RegularExpressions; namespace " + space + " { " + type.Modifiers + " class " + type.Identifier
            + " { " + method.Modifiers + " Regex " + method.Identifier + "() => new Regex" + attribute.ArgumentList + "; } }";
    }
}
