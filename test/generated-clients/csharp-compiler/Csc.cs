// A C# compiler based on the Roslyn libraries, for machines without the .NET SDK. Takes the arguments of csc.
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
        var arguments = CSharpCommandLineParser.Default.Parse(args, Directory.GetCurrentDirectory(), framework, null);
        if (arguments.Errors.Any()) return Report(arguments.Errors, false);
        var trees = arguments.SourceFiles.AsParallel().AsOrdered().Select(file => Parse(file.Path, arguments.ParseOptions)).ToList();
        var methods = trees.SelectMany(tree => tree.GetRoot().DescendantNodes().OfType<MethodDeclarationSyntax>());
        trees.AddRange(methods.Select(GeneratedRegex).Where(source => source != null)
            .Select(source => CSharpSyntaxTree.ParseText(source, arguments.ParseOptions)).ToList());
        var references = arguments.MetadataReferences.Select(each => MetadataReference.CreateFromFile(each.Reference, each.Properties));
        var compilation = CSharpCompilation.Create(arguments.CompilationName, trees, references, arguments.CompilationOptions);
        using (var output = File.Create(Path.Combine(arguments.OutputDirectory, arguments.OutputFileName)))
        {
            var result = compilation.Emit(output);
            return Report(result.Diagnostics.Where(each => each.Severity == DiagnosticSeverity.Error), result.Success);
        }
    }

    static int Report(System.Collections.Generic.IEnumerable<Diagnostic> diagnostics, bool isSuccess)
    {
        foreach (var diagnostic in diagnostics) Console.Error.WriteLine(diagnostic);
        return isSuccess ? 0 : 1;
    }

    static SyntaxTree Parse(string path, CSharpParseOptions options)
    {
        var bytes = File.ReadAllBytes(path);
        return CSharpSyntaxTree.ParseText(SourceText.From(bytes, bytes.Length), options, path);
    }

    // Generates what the source generator of [GeneratedRegex] would; that generator is only in the SDK.
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
